import type { Page } from 'playwright-core'
import type { Shot } from './shot.ts'

const path = '/organization/agents'
const open = (button: string) => (page: Page) =>
  page
    .getByRole('button', { name: button })
    .filter({ visible: true })
    .first()
    .click()
    .then(() => page.getByRole('dialog').waitFor())

/** The agents of an organisation, with all that opens over them. */
export const agentShots: readonly Shot[] = [
  { name: 'agents', as: 'manager', path },
  { name: 'agents-user', as: 'user', path: '/user/agents' },
  { name: 'agents-filtered', as: 'manager', path: `${path}?o=0&q=7a7a` },
  { name: 'agents-invite', as: 'manager', path, act: open('Invite agent') },
  {
    name: 'agents-create',
    as: 'manager',
    path,
    act: (page) => open('Invite agent')(page).then(() => page.getByRole('tab', { name: 'Create' }).click()),
  },
  { name: 'agents-teams', as: 'manager', path: `${path}?t=1` },
  { name: 'agents-team', as: 'manager', path: `${path}?t=1`, act: open('New team') },
  {
    name: 'agents-hours',
    as: 'manager',
    path: `${path}?t=2`,
    act: (page) => page.getByRole('switch', { name: 'Business hours' }).click(),
  },
  { name: 'agents-hours-user', as: 'user', path: '/user/agents?t=2' },
  { name: 'agents-replies', as: 'manager', path: `${path}?t=3` },
  {
    name: 'agents-reply',
    as: 'manager',
    path: `${path}?t=3`,
    act: (page) =>
      open('New canned reply')(page).then(() => page.getByLabel('Text').fill('Hello {{name}}, this is {{agent}}.')),
  },
]
