// Ends with 0 where the web app of this host answers and can read its store: for the HEALTHCHECK of the image.
const url = `http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`
process.exit(
  await fetch(url).then(
    ({ ok }) => Number(!ok),
    () => 1,
  ),
)
