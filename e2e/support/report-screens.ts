import { createClient, type Client } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { ReportFile } from '@carillon/contract/report-file-records'
import type { Page } from 'playwright-core'
import { openMenuOf } from './screen-acts.ts'
import type { Shot } from './shot.ts'

const path = '/organization/reports'

/** Reports of the manager, each in its own format, and all ready. */
export async function addReports(url: string) {
  const manager = await createClient(url, { username: 'manager', password: demoPassword })
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const span = { from: day(29), to: day(0), channel: 'all', campaignId: 'all' }
  for (const body of [
    { type: 'usage_and_billing', format: 'json' },
    { type: 'failure_analysis', format: 'csv' },
    { detailedCampaignReport: true, format: 'csv' },
    { format: 'xlsx' },
  ])
    await manager.call('reportFiles.generate', { path: span, body })
  await untilReady(manager)
}

async function untilReady(client: Client) {
  const read = () => client.call<{ reports: ReportFile[] }>('reportFiles.list', { query: { limit: '100' } })
  while ((await read()).reports.some(({ status }) => status !== 'ready'))
    await new Promise((resume) => setTimeout(resume, 100))
}

const openReport = (name: string) => async (page: Page) => {
  await page.getByText(name, { exact: true }).filter({ visible: true }).last().click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Preview' }).waitFor()
}

/** On phones the form is in a sheet. */
async function openForm(page: Page) {
  const isOpen = await page.getByRole('region', { name: 'Generate a report' }).isVisible()
  if (!isOpen) await page.getByRole('button', { name: 'Generate report' }).click()
}

const shotOf = (name: string, act?: Shot['act']): Shot => ({ name, as: 'manager', path, ...(act ? { act } : {}) })

/** Performance Reports. */
export const reportShots: readonly Shot[] = [
  shotOf('reports'),
  { name: 'reports-empty', as: 'manager2', path },
  { name: 'reports-none', as: 'manager', path: `${path}?u=3` },
  { name: 'reports-of-department', as: 'department-head', path: '/department-head/reports' },
  shotOf('report-form', openForm),
  { name: 'report-schedules-empty', as: 'manager', path: `${path}?t=1` },
  {
    name: 'report-schedule-form',
    as: 'manager',
    path: `${path}?t=1`,
    act: async (page) => {
      await page.getByRole('button', { name: 'New schedule' }).first().click()
      const form = page.getByRole('dialog', { name: 'New schedule' })
      await form.getByRole('radio', { name: 'S3 bucket' }).click()
      await form.getByLabel('Secret access key').waitFor()
    },
  },
  shotOf('report-form-days', async (page) => {
    await openForm(page)
    await page.getByLabel('Days').selectOption('custom')
    await page.getByLabel('From', { exact: true }).fill('2020-01-01')
    await page.getByRole('button', { name: 'Generate report' }).last().click()
    await page.getByText('Choose at most 366 days').waitFor()
  }),
  shotOf('report-form-campaign', async (page) => {
    await openForm(page)
    await page.getByRole('combobox', { name: 'Campaign' }).click()
    await page.getByRole('option', { name: 'All campaigns' }).waitFor()
  }),
  shotOf('report-peek', openReport('Campaigns')),
  shotOf('report-peek-detailed', openReport('Campaign messages')),
  shotOf('report-peek-table', async (page) => {
    await openReport('Campaigns')(page)
    await page.getByRole('dialog').getByRole('button', { name: 'View as table' }).click()
  }),
  shotOf('report-menu', (page) => openMenuOf(page, 'Failures')),
]
