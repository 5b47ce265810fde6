import type { Page } from 'playwright-core'
import type { Shot } from './shot.ts'

const unified = '/organization/campaigns/unified'
const wizard = `${unified}/creation`

const useFamilies = async (page: Page) => {
  await page.getByRole('button', { name: 'Use a template family…' }).click()
  await page.getByRole('list', { name: 'Template families' }).waitFor()
}

const openOrderMenu = async (page: Page) => {
  await page.getByRole('button', { name: 'Actions for WhatsApp' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).waitFor()
}

/** Campaigns over several channels: the list, the week, the comparison, and the steps of their wizard. */
export const unifiedShots: readonly Shot[] = [
  { name: 'unified', as: 'manager', path: unified },
  { name: 'unified-empty', as: 'manager2', path: unified },
  { name: 'unified-none', as: 'manager', path: `${unified}?q=7a7a7a` },
  { name: 'unified-week', as: 'manager', path: `${unified}?t=1` },
  { name: 'unified-week-empty', as: 'manager', path: `${unified}?t=1&r=20200106-20200112` },
  { name: 'unified-compare-none', as: 'manager', path: `${unified}?t=2` },
  { name: 'unified-denied', as: 'department-head', path: '/department-head/campaigns/unified/creation' },
  { name: 'unified-channels', as: 'manager', path: `${wizard}?t=1` },
  { name: 'unified-order', as: 'manager', path: `${wizard}?t=1`, act: openOrderMenu },
  { name: 'unified-templates', as: 'manager', path: `${wizard}?t=2` },
  { name: 'unified-families', as: 'manager', path: `${wizard}?t=2`, act: useFamilies },
  { name: 'unified-conditions', as: 'manager', path: `${wizard}?t=3` },
  { name: 'unified-review', as: 'manager', path: `${wizard}?t=4` },
]
