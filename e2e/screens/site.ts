import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answer, type Story } from './story.ts'

const dist = fileURLToPath(new URL('../../packages/web/dist', import.meta.url))
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const policy =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data: blob:;font-src 'self';connect-src 'self' ws: wss:;base-uri 'none';form-action 'self';require-trusted-types-for 'script'"

/** The built pages under the product's own policy, with the story in place of a server; for looking at, never for judging. */
export async function serveStory(story: Story): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname.startsWith('/api/')) {
      const found = answer(`${request.method} ${url.pathname}`, url.searchParams, story)
      const body = found ?? { success: false, message: 'There is no such call', code: 'not_found' }
      const refused = typeof body === 'object' && body !== null && 'success' in body && body.success === false
      response.writeHead(found === undefined ? 404 : refused ? 503 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
      return
    }
    const asked = join(dist, url.pathname)
    const file = existsSync(asked) && statSync(asked).isFile() ? asked : join(dist, 'index.html')
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': policy,
    })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The story has no port')
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}
