# The worker, the web app, or both: docs/operations.md says which command runs which.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has Node; what npm brings of it is for machines with an older one.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN node node_modules/next/dist/bin/next build && rm -rf .next/cache

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 PROWL_DATA=/data PORT=3000
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules node_modules
COPY package.json next.config.js ./
COPY signatures signatures
COPY ingest ingest
COPY scripts scripts
COPY lib lib
COPY docs/errors.md docs/errors.md
COPY --from=build /app/.next .next
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m CMD ["node", "scripts/healthy.js"]
CMD ["node", "scripts/run.js", "scripts/start.ts"]
