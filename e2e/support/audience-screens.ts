import type { Page } from 'playwright-core'
import { openDraft, openFirstCampaign } from './screen-acts.ts'
import type { Shot } from './shot.ts'

const optOuts = '/organization/general?t=11'

const addNumbers = async (page: Page) => {
  await page.getByRole('button', { name: 'Add numbers' }).first().click()
  await page.getByRole('dialog').waitFor()
}

const addAndSee = async (page: Page) => {
  await addNumbers(page)
  await page.getByLabel('Numbers', { exact: true }).fill('98450 11208, 98450 11209, 98450 11208, 123')
  await page.getByRole('button', { name: 'Add to opt-outs' }).click()
  await page.getByText('Already opted out').waitFor()
}

const askToRemove = async (page: Page) => {
  await page
    .getByRole('button', { name: /^Actions for \+91/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Remove from list…' }).click()
  await page.getByRole('alertdialog').waitFor()
}

const campaigns = '/organization/campaigns'

const inAudience = (act: (page: Page) => Promise<void>) => (page: Page) =>
  openDraft(page, 'audience')
    .then(() => page.getByRole('heading', { name: 'Columns' }).waitFor())
    .then(() => act(page))

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const showAllRejects = async (page: Page) => {
  await page.getByRole('button', { name: /^Show \d+ more$/ }).click()
  await page
    .getByLabel(/^Number for row/)
    .first()
    .fill('98450 11208')
  await page
    .getByRole('heading', { name: /left out$/ })
    .evaluate((heading) => heading.scrollIntoView({ block: 'center' }))
}

const saveAndList = async (page: Page) => {
  await page.getByRole('button', { name: 'Replace file' }).click()
  await page.getByRole('button', { name: 'Saved audiences' }).click()
  await page.getByRole('dialog').waitFor()
}

const openReplies = async (page: Page) => {
  await openFirstCampaign(page)
  await page.getByRole('tab', { name: /^Replies/ }).click()
  await page.getByRole('searchbox', { name: 'Search number or text' }).waitFor()
}

/** Opt-outs and replies. */
export const audienceShots: readonly Shot[] = [
  { name: 'campaign-replies', as: 'manager', path: campaigns, act: openReplies, except: 'phone' },
  { name: 'audience-preview', as: 'manager', path: campaigns, act: inAudience(press(/^Preview \d+ rows/)) },
  { name: 'audience-corrections', as: 'manager', path: campaigns, act: inAudience(showAllRejects) },
  { name: 'audience-saved', as: 'manager', path: campaigns, act: inAudience(saveAndList) },
  { name: 'opt-outs-empty', as: 'manager2', path: optOuts },
  { name: 'opt-outs-add', as: 'manager', path: optOuts, act: addNumbers },
  { name: 'opt-outs-added', as: 'manager', path: optOuts, act: addAndSee },
  { name: 'opt-outs', as: 'manager', path: optOuts },
  { name: 'opt-outs-remove', as: 'manager', path: optOuts, act: askToRemove },
]
