/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  typedRoutes: true,
  // proxy.ts tells Next's own navigation from scripts by a header that would be hidden from it otherwise.
  skipProxyUrlNormalize: true,
  // They start threads or read files beside themselves, which a bundle would tear apart.
  serverExternalPackages: ['@elastic/elasticsearch', 'piscina', 'pino', 're2js', 'yaml'],
  // `npm test` checks types in a step of its own; whoever only starts the app need not wait for it.
  typescript: { ignoreBuildErrors: true },
  // Those of every answer are the front's (app/_server/front.ts). Issues and chats show these pictures.
  headers: async () =>
    ['/chart.png', '/og', '/signatures/:id/chart.svg', '/signatures/:id/chart.png'].map((source) => ({
      source,
      headers: [{ key: 'Cross-Origin-Resource-Policy', value: 'cross-origin' }],
    })),
  // Nothing here is another size of a picture, and its address names what to fetch.
  images: { unoptimized: true },
}

export default config
