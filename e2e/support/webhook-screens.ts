import { createClient, type Client } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { NewWebhookEndpoint, WebhookDelivery } from '@carillon/contract/webhook-records'
import type { Page } from 'playwright-core'
import type { Receiver } from './receiver.ts'
import type { Shot } from './shot.ts'

const path = '/organization/api-management?t=3'

/** None that the demo's running campaign causes: its failures would hold up the test events. */
const types = ['topup.requested', 'topup.completed', 'balance.low', 'template.status_changed']

/** Endpoints of the manager with deliveries of each kind, and one of an account below. */
export async function addWebhooks(url: string, receiver: Receiver) {
  const [manager, user] = await Promise.all(
    ['manager', 'user'].map((username) => createClient(url, { username, password: demoPassword })),
  )
  if (!manager || !user) return
  const add = async (client: Client, place: string, body: object = {}) => {
    const wanted = { url: receiver.url(place), types, ...body }
    const { id } = await client.call<NewWebhookEndpoint>('webhookEndpoints.create', { body: wanted })
    return id
  }
  await add(user, '/kiosk', { environment: 'test' })
  const warehouse = await add(manager, '/warehouse', { signature: 'v1a', ordered: true })
  const gone = await add(manager, '/gone', { description: 'Old shop' })
  const broken = await add(manager, '/broken', { description: 'Order service' })
  const shop = await add(manager, '/hooks/shop', { description: 'Status of orders in the shop' })
  for (const id of [shop, shop, shop, broken, gone, warehouse]) await sendTest(manager, id)
}

/** Sends a test event, and waits for the response to its first attempt. */
async function sendTest(client: Client, id: string) {
  const { id: deliveryId } = await client.call<WebhookDelivery>('webhookEndpoints.test', { path: { id }, body: {} })
  const read = () => client.call<WebhookDelivery>('webhookEndpoints.delivery', { path: { id, deliveryId } })
  while ((await read()).attempts.length === 0) await new Promise((resume) => setTimeout(resume, 100))
}

const visible = (page: Page, place: string) => page.getByText(place).filter({ visible: true }).first()

const openPeek = (place: string) => async (page: Page) => {
  await visible(page, place).click()
  await page.getByRole('dialog', { name: place }).waitFor()
}

export const openDeliveries = (place: string) => async (page: Page) => {
  await openPeek(place)(page)
  await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: place }).waitFor()
}

const menuItem = (place: string, item: string) => async (page: Page) => {
  await page
    .getByRole('button', { name: new RegExp(`^Actions for .*${place}$`) })
    .filter({ visible: true })
    .first()
    .click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.locator('[role=dialog], [role=alertdialog]').first().waitFor()
}

const delivery = (place: string) => async (page: Page) => {
  await openDeliveries(place)(page)
  await visible(page, 'endpoint.test').click()
  await page.getByRole('dialog', { name: 'Delivery of endpoint.test' }).waitFor()
}

const shotOf = (name: string, act: Shot['act']): Shot => ({ name, as: 'manager', path, ...(act ? { act } : {}) })

/** The webhooks of API Control, with all that opens over them. */
export const webhookShots: readonly Shot[] = [
  shotOf('webhooks', undefined),
  { name: 'webhooks-empty', as: 'manager2', path },
  { name: 'webhooks-none', as: 'manager', path: `${path}&q=7a7a7a` },
  shotOf('webhook-create', (page) =>
    page
      .getByRole('button', { name: 'Add endpoint' })
      .click()
      .then(() => page.getByRole('dialog').waitFor()),
  ),
  shotOf('webhook-peek', openPeek('/hooks/shop')),
  shotOf('webhook-peek-failing', openPeek('/broken')),
  shotOf('webhook-peek-not-own', openPeek('/kiosk')),
  shotOf('webhook-menu', (page) =>
    page
      .getByRole('button', { name: /^Actions for .*\/hooks\/shop$/ })
      .filter({ visible: true })
      .first()
      .click(),
  ),
  shotOf('webhook-edit', menuItem('/hooks/shop', 'Edit…')),
  shotOf('webhook-rotate', menuItem('/hooks/shop', 'Rotate secret…')),
  shotOf('webhook-delete', menuItem('/hooks/shop', 'Delete…')),
  shotOf('webhook-replay-missed', menuItem('/hooks/shop', 'Replay missed…')),
  shotOf('webhook-replay-range', menuItem('/hooks/shop', 'Replay a time range…')),
  shotOf('webhook-deliveries', openDeliveries('/hooks/shop')),
  shotOf('webhook-deliveries-failing', openDeliveries('/broken')),
  shotOf('webhook-deliveries-empty', openDeliveries('/kiosk')),
  shotOf('webhook-delivery', delivery('/hooks/shop')),
  shotOf('webhook-delivery-failed', delivery('/broken')),
  // A double press on these changes the state of the endpoint.
  shotOf('webhook-enable', menuItem('/gone', 'Enable…')),
  shotOf('webhook-disable', menuItem('/warehouse', 'Disable…')),
]
