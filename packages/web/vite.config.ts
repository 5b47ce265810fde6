import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { toasts } from './src/lib/constants.ts'

const apiOrigin = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), withoutInjectedStyles(), withoutJsonSchemas(), preloadTextFont()],
  resolve: {
    alias: {
      // The page's policy allows no <style> elements; ours adopts a constructed sheet instead.
      'react-style-singleton': fileURLToPath(new URL('src/lib/adopted-style.ts', import.meta.url)),
    },
  },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    // One file for all that every page needs at once: as a dozen chunks, shared with what imports them, it was 4 KB larger.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } } },
  },
  server: {
    proxy: { '/api': apiOrigin, '/socket.io': { target: apiOrigin, ws: true } },
  },
})

/**
 * Sonner writes a <style> element when it loads, which the page's policy refuses; its stylesheet is imported instead. And it
 * has no setting for how far a toast is swiped until it goes.
 */
function withoutInjectedStyles(): Plugin {
  return {
    name: 'without-injected-styles',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]sonner[\\/]dist[\\/]index\.mjs/.test(id)) return undefined
      const threshold = /const SWIPE_THRESHOLD = \d+/
      if (!threshold.test(code))
        throw new Error('Sonner names its swipe threshold differently: set it in vite.config.ts')
      const swiped = code.replace(threshold, `const SWIPE_THRESHOLD = ${toasts.swipeThreshold}`)
      return { code: swiped.replace(/^__insertCSS\(".*"\);?$/m, ''), map: null }
    },
  }
}

/**
 * Every schema of Zod can describe itself as a JSON Schema. The server's reference needs that, the browser never: its code
 * is left out of the build, which makes each screen about 5 KB lighter.
 */
function withoutJsonSchemas(): Plugin {
  return {
    name: 'without-json-schemas',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js/.test(id)) return undefined
      const declared = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      const renamed = [...code.matchAll(/^export \{ \w+ as (\w+) \}/gm)].map(([, name]) => name)
      const stubs = [...declared, ...renamed].map((name) => `export const ${name} = () => undefined`)
      return { code: stubs.join('\n'), map: null }
    },
  }
}

/** The one font every screen needs is asked for with the page, not after its stylesheet. */
function preloadTextFont(): Plugin {
  return {
    name: 'preload-text-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-opsz-normal-.*\.woff2$/.test(name))
        if (!font) return []
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true }
        return [{ tag: 'link', injectTo: 'head-prepend', attrs }]
      },
    },
  }
}
