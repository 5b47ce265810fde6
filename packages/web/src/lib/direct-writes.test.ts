import { endpoints, type EndpointName } from '@carillon/contract'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')

/** Every write made with `call` directly, by file. */
function directWrites(): string[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  )
  return files
    .flatMap((file) =>
      [...readFileSync(join(source, file), 'utf8').matchAll(/\bcall\('([\w.]+)'/g)]
        .map(([, name]) => name as EndpointName)
        .filter((name) => endpoints[name] && !endpoints[name].route.startsWith('GET '))
        .map((name) => `${file}: ${name}`),
    )
    .toSorted()
}

// Writes belong in `useApiWrite`, which ignores repeated presses and sends an idempotency key. Each exception has another
// guard: `useSingleRun`, `useWriteOnce`, a key of its own, or an idempotent call.
test('no other write is made without the guard against repeated presses', () => {
  expect(directWrites()).toEqual([
    'app/router.tsx: auth.reportIncident',
    'app/shell/account-menu.tsx: auth.logout',
    'app/shell/notification-feed.ts: notifications.read',
    'channels/rcs/templates/bulk-delete.tsx: rcsTemplates.delete',
    'channels/rcs/templates/renditions.ts: rcsTemplates.save',
    'channels/rcs/templates/renditions.ts: rcsTemplates.save',
    'channels/sms/templates/bulk-delete.tsx: smsTemplates.delete',
    'channels/sms/templates/renditions.ts: smsTemplates.create',
    'channels/sms/templates/renditions.ts: smsTemplates.update',
    'channels/whatsapp/accounts/whatsapp-page.tsx: waTemplates.sync',
    'channels/whatsapp/templates/bulk-delete.tsx: waTemplates.delete',
    'channels/whatsapp/templates/refresh-from-meta.tsx: waTemplates.sync',
    'channels/whatsapp/templates/renditions.ts: waTemplates.save',
    'features/api-keys/check-key-dialog.tsx: apiKeys.validate',
    'features/auth/email-link-page.tsx: emailChange.details',
    'features/auth/first-password-page.tsx: auth.changePassword',
    'features/auth/forget-password-page.tsx: auth.sendResetLink',
    'features/auth/login-form.tsx: auth.login',
    'features/auth/register-form.tsx: auth.firstAdmin',
    'features/auth/register-form.tsx: auth.registerDefault',
    'features/auth/register-form.tsx: invitations.accept',
    'features/auth/register-page.tsx: auth.registration',
    'features/auth/reset-password-page.tsx: auth.resetPassword',
    'features/campaigns/dialogs/start-dialog.tsx: campaigns.start',
    'features/campaigns/list/campaign-bulk.tsx: campaigns.discard',
    'features/campaigns/list/campaign-bulk.tsx: campaigns.pause',
    'features/campaigns/wizard/use-audience.ts: audience.create',
    'features/campaigns/wizard/use-draft.ts: drafts.create',
    'features/campaigns/wizard/use-draft.ts: drafts.save',
    'features/campaigns/wizard/use-send.ts: campaigns.schedule',
    'features/campaigns/wizard/use-send.ts: campaigns.start',
    'features/campaigns/wizard/use-send.ts: drafts.validate',
    'features/chats/state/outbox.ts: conversations.reply',
    'features/reports/report-actions.ts: reportFiles.delete',
    'features/reports/schedule-actions.ts: reportSchedules.delete',
    'features/reports/schedule-sheet.tsx: reportSchedules.create',
    'features/reports/schedule-sheet.tsx: reportSchedules.newSecret',
    'features/reports/schedule-sheet.tsx: reportSchedules.update',
    'features/templates/families/use-save-family.ts: families.create',
    'features/templates/families/use-save-family.ts: families.update',
    'features/users/user-bulk.tsx: users.setStatus',
    'lib/impersonation.ts: auth.exitImpersonation',
    'ui/transfers/review-dialog.tsx: balance.add',
    'ui/transfers/review-dialog.tsx: balance.deduct',
  ])
})
