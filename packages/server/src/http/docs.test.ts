import { endpoints } from '@carillon/contract'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../testing/server.ts'
import { refuseRoutesWithoutPolicy } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

type Operation = { operationId: string; parameters: { name: string; in: string }[] }
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> }

async function readDocument(): Promise<Document> {
  const answer = await fetch(`${server.url}/api/docs/openapi.json`)
  expect(answer).toMatchObject({ status: 200 })
  return (await answer.json()) as Document
}

test('every call of the contract is in the document, with its path and method', async () => {
  const { paths } = await readDocument()
  const described = Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`]),
  )
  expect(Object.fromEntries(described)).toEqual(
    Object.fromEntries(Object.entries(endpoints).map(([name, { route }]) => [name, route.replace(/\/$/, '')])),
  )
})

/** Paths of the specification that a path with a parameter matches too. The router prefers fixed segments. */
const specifiedPaths = ['/api/campaigns/start-campaign/{id}', '/api/v1/campaigns/search/{id}']

test('the document passes the recommended rules of an OpenAPI linter', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({
    source: JSON.stringify(await readDocument()),
    absoluteRef: 'openapi.json',
    config,
  })
  const isSpecified = ({ ruleId, message }: { ruleId: string; message: string }) =>
    ruleId === 'no-ambiguous-paths' && specifiedPaths.some((path) => message.includes(`\`${path}\``))
  const others = problems.filter((problem) => !isSpecified(problem))
  expect(others.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

test('every path parameter is described', async () => {
  const { paths } = await readDocument()
  for (const [path, calls] of Object.entries(paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const call of Object.values(calls)) {
      expect(call.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(names)
    }
  }
})

test('the page and its script are served by this server, under a policy that allows nothing else', async () => {
  const page = await fetch(`${server.url}/api/docs/`)
  const text = await page.text()
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[\w+/=]{44}'$/)
  const [, address = ''] = /<script src="([^"]+)"/.exec(text) ?? []
  expect(text).not.toMatch(/(?:src|href)="https?:/)

  const script = await fetch(new URL(address, `${server.url}/api/docs/`))
  expect(script).toMatchObject({ status: 200 })
  expect(script.headers.get('content-security-policy')).toContain(`script-src 'self'`)
  // An unread body would hold its connection, and the server waits for that on close.
  await script.text()
})

test('a server with a route without policy does not start', async () => {
  const careless = Fastify()
  refuseRoutesWithoutPolicy(careless)
  careless.get('/forgotten', async () => 'hello')
  await expect(careless.ready().then(() => 'started')).rejects.toThrow('GET /forgotten has no policy')
})
