import { randomUUID } from 'node:crypto'
import { carriers } from './carriers.ts'
import { demoPartner } from './demo-agent.ts'
import { type ManagementCall, type ManagementRoute, needBrand, notFound } from './management-call.ts'
import type { Brand, Row } from './objects.ts'
import { RbmError } from './rbm-error.ts'
import { isRow, needText, readList } from './reading.ts'
import { findTester, inviteTester, listTesters, presentTester } from './testers.ts'
import { testerKey } from './directory.ts'
import { verifyWebhook } from './webhook-check.ts'

/** Brands, the partner, carriers and testers. */
export const brandCalls: ManagementRoute[] = [
  { method: 'POST', path: /^brands$/, answer: createBrand },
  {
    method: 'GET',
    path: /^brands$/,
    answer: ({ rbm }) => ({ brands: [...rbm.directory.brands.values()].map(present) }),
  },
  { method: 'GET', path: /^brands\/([^/:]+)$/, answer: (call, [id = '']) => present(needBrand(call, id)) },
  { method: 'PATCH', path: /^brands\/([^/:]+)$/, answer: changeBrand },
  { method: 'DELETE', path: /^brands\/([^/:]+)$/, answer: deleteBrand },
  { method: 'GET', path: /^partners\/([^/:]+)$/, answer: (call, [id = '']) => presentPartner(call, id) },
  { method: 'PATCH', path: /^partners\/([^/:]+)$/, answer: changePartner },
  { method: 'GET', path: /^regions$/, answer: listRegions },
  { method: 'POST', path: /^testers$/, answer: ({ rbm, body }) => inviteTester(rbm, body) },
  { method: 'GET', path: /^testers$/, answer: ({ rbm, query }) => listTesters(rbm, query.agentId ?? '') },
  {
    method: 'GET',
    path: /^testers\/(\+\d+)$/,
    answer: ({ rbm, query }, [number = '']) => presentTester(findTester(rbm, query.agentId ?? '', number)),
  },
  { method: 'DELETE', path: /^testers\/(\+\d+)$/, answer: deleteTester },
]

function present({ id, displayName }: Brand) {
  return { name: `brands/${id}`, displayName }
}

function createBrand({ rbm, body }: ManagementCall) {
  const brand = { id: randomUUID(), displayName: needText({ row: body, name: 'displayName' }, 100) }
  rbm.directory.brands.set(brand.id, brand)
  return present(brand)
}

function changeBrand(call: ManagementCall, [id = '']: string[]) {
  const brand = needBrand(call, id)
  brand.displayName = needText({ row: call.body, name: 'displayName' }, 100)
  return present(brand)
}

function deleteBrand(call: ManagementCall, [id = '']: string[]) {
  const { brands, agents } = call.rbm.directory
  needBrand(call, id)
  if ([...agents.values()].some(({ brandId }) => brandId === id))
    throw new RbmError('FAILED_PRECONDITION', 'A brand with agents cannot be deleted')
  brands.delete(id)
  return {}
}

function presentPartner({ rbm }: ManagementCall, id: string) {
  if (id !== demoPartner.partnerId) throw notFound(`There is no partner partners/${id}`)
  const webhookUrl = rbm.directory.webhook()?.url
  return {
    name: `partners/${id}`,
    displayName: 'Acme Messaging',
    company: 'Acme Messaging Pvt Ltd',
    productCapabilities: [
      {
        product: 'RCS_BUSINESS_MESSAGING',
        rcsBusinessMessagingCapability: webhookUrl === undefined ? {} : { webhookUrl },
      },
    ],
  }
}

/** Sets the webhook of the partner, which is validated first. */
async function changePartner(call: ManagementCall, [id = '']: string[]) {
  presentPartner(call, id)
  const url = readWebhookUrl(call.body)
  if (url !== undefined) {
    const webhook = { url, clientToken: demoPartner.clientToken }
    await verifyWebhook(webhook)
    call.rbm.directory.setWebhook(webhook)
  }
  return presentPartner(call, id)
}

function readWebhookUrl(row: Row): string | undefined {
  for (const { rcsBusinessMessagingCapability } of readList({ row, name: 'productCapabilities' }) ?? [])
    if (isRow(rcsBusinessMessagingCapability))
      return needText({ row: rcsBusinessMessagingCapability, name: 'webhookUrl' })
  return undefined
}

function listRegions() {
  return {
    regions: carriers.map(({ id, name, isGoogleManaged }) => ({
      name: `/v1/regions/${id}`,
      displayName: name,
      managementType: isGoogleManaged ? 'GOOGLE_MANAGED' : 'CARRIER_MANAGED',
    })),
  }
}

function deleteTester({ rbm, query }: ManagementCall, [number = '']: string[]) {
  rbm.directory.testers.delete(testerKey(findTester(rbm, query.agentId ?? '', number)))
  return {}
}
