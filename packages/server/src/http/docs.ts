import { createHash } from 'node:crypto'
import { endpoints } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import { describeContract } from './openapi.ts'

/**
 * The reference page uses inline styles and an inline script, so it has its own policy; it loads nothing from elsewhere and
 * calls only this server.
 */
const pagePolicy = [
  `default-src 'none'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data: blob:`,
  `font-src 'self' data:`,
  `connect-src 'self'`,
  `frame-ancestors 'none'`,
  `base-uri 'none'`,
  `form-action 'none'`,
]

/** The contract as an OpenAPI document at /api/docs/openapi.json and as a page at /api/docs. */
export async function mountDocs(app: FastifyInstance, version: string) {
  const document = JSON.stringify(describeContract(endpoints, version))
  // Several megabytes: loaded only by the process that serves it.
  const { default: reference } = await import('@scalar/fastify-api-reference')

  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, policy: 'docs' }
    })
    docs.addHook('onSend', async (_request, reply, payload) => {
      if (typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')) {
        reply.header(
          'content-security-policy',
          [...pagePolicy, `script-src 'self' ${hashInlineScripts(payload)}`].join('; '),
        )
      }
      return payload
    })
    docs.get('/api/docs/openapi.json', async (_request, reply) => reply.type('application/json').send(document))
    await docs.register(reference, {
      routePrefix: '/api/docs',
      configuration: {
        url: '/api/docs/openapi.json',
        pageTitle: 'Carillon calls',
        // External features are disabled.
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        hideClientButton: true,
        showDeveloperTools: 'never',
        hideModels: true,
      },
    })
  })
}

function hashInlineScripts(page: string): string {
  const scripts = [...page.matchAll(/<script type="text\/javascript">([^]*?)<\/script>/g)]
  return scripts.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ')
}
