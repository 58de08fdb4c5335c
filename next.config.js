/** Sent with every answer; the content policy of pages carries a nonce and comes from proxy.ts. */
const SECURITY_HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
]

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
  headers: async () => [
    { source: '/:path*', headers: SECURITY_HEADERS },
    // Issues and chats show them.
    ...['/chart.png', '/og', '/signatures/:id/chart.svg', '/signatures/:id/chart.png'].map((source) => ({
      source,
      headers: [{ key: 'Cross-Origin-Resource-Policy', value: 'cross-origin' }],
    })),
  ],
}

export default config
