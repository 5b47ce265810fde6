import { log, rows } from './inbox-page.ts'
import type { Shot } from './shot.ts'
import type { Page } from 'playwright-core'

const path = '/organization/chats'

async function openFirst(page: Page) {
  await rows(page).first().click()
  await log(page).waitFor()
}

/** The inbox with the conversations of the demo. */
export const chatShots: readonly Shot[] = [
  { name: 'chats', as: 'manager', path },
  { name: 'chats-empty', as: 'manager2', path },
  { name: 'chat', as: 'manager', path, act: openFirst },
  {
    name: 'chat-note',
    as: 'manager',
    path,
    act: (page) => openFirst(page).then(() => page.getByText('Note', { exact: true }).click()),
  },
  {
    name: 'chats-select',
    as: 'manager',
    path,
    act: async (page) => {
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await rows(page).first().click()
    },
  },
  {
    name: 'chats-filters',
    as: 'manager',
    path,
    act: (page) => page.getByRole('button', { name: 'Filters' }).click(),
  },
]
