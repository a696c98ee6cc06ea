import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Of a service that runs beside `npm run dev --workspace dashboard`.
const service = process.env['TRACEWRIGHT_URL'] ?? 'http://localhost:8080'
const servedByService = ['/v1', '/openapi.json', '/.well-known', '/healthz', '/readyz', '/reset']

export default defineConfig({
  plugins: [react(), { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' }],
  server: {
    // The service compares the origin of a browser session with the host that was asked.
    proxy: Object.fromEntries(servedByService.map((path) => [path, { target: service, changeOrigin: false }])),
  },
  build: {
    target: 'es2023',
    // The content security policy allows no data: fonts, and a file of its own is cached by its hash.
    assetsInlineLimit: 0,
    // Every browser that the target names loads modules ahead by itself.
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What every page loads is in the first file, and what three pages or more share is one other file: as many small ones, it would take
    // 18 KB more in all.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'main', tags: ['$initial'] },
            { name: 'shared', test: /dashboard\/src\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
})
