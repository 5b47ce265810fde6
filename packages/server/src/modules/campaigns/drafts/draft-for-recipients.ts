import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import type { UploadedFile } from '../../../http/handlers.ts'
import { conflict } from '../../../lib/problem.ts'
import { createAudience, getAudience, type AudienceDeps, type AudienceRow } from '../../audience/index.ts'
import type { FailedPerson } from '../../messages/index.ts'
import { readDraft, recordEvent, updateCampaign, type CampaignRow } from '../campaigns.queries.ts'
import { copyDraft, insertCampaign } from './drafts.ts'

export type DraftForRecipients = { campaign: CampaignRow; people: number }

/** Nothing of it is sent any more: its recipients can be chosen by result. */
export function hasEnded({ status }: Pick<CampaignRow, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

type Wanted = {
  actor: UserActor
  original: CampaignRow
  /** The chosen recipients of the original, in the order of its audience. */
  pages: AsyncIterable<readonly FailedPerson[]>
  words: {
    /** Before the campaign's name in the name of the file. */
    file: string
    /** Before the campaign's name in the name of the draft. */
    draft: string
    /** The error if no recipients are chosen. */
    none: string
  }
  change: Partial<Pick<CampaignRow, 'resend_of'>>
  /** Of the event in the new campaign's history. */
  details: Record<string, unknown>
}

/** Copies a campaign as a draft for some of its recipients; it is checked, priced and sent like any other. */
export async function draftForRecipients(
  db: Db,
  deps: AudienceDeps,
  { actor, original, pages, words, change, details }: Wanted,
): Promise<DraftForRecipients> {
  const { organization_id: organizationId, audience_id: audienceId, channel } = original
  if (!audienceId) throw conflict('The campaign has no audience')
  const audience = await getAudience(db, { organizationId, id: audienceId })
  const { upload, people } = await writeFile(deps, { audience, pages, name: `${words.file} ${original.name}` })
  try {
    if (people === 0) throw conflict(words.none)
    const chosen = await createAudience(db, deps, {
      actor,
      upload,
      numbers: undefined,
      phoneColumn: audience.phone_column ?? 0,
      defaultCountry: audience.default_country,
      channel,
    })
    const copied = copyDraft(readDraft(original), { prefix: words.draft })
    const draft = { ...copied, audienceId: chosen.id, abTest: null }
    const inserted = await insertCampaign(db, { actor, draft, status: 'draft' })
    const campaign = Object.keys(change).length > 0 ? await updateCampaign(db, inserted, change) : inserted
    await recordEvent(db, { campaign, event: 'created', details: { ...details, people }, actor })
    return { campaign, people }
  } finally {
    await rm(upload.path, { force: true })
  }
}

type File = { audience: AudienceRow; pages: Wanted['pages']; name: string }

/** The rows with the original columns, so that variable sources stay valid. */
async function writeFile(
  { temporaryDirectory }: AudienceDeps,
  { audience, pages, name }: File,
): Promise<{ upload: UploadedFile; people: number }> {
  const path = join(temporaryDirectory, randomUUID())
  await mkdir(temporaryDirectory, { recursive: true })
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  const phoneColumn = audience.phone_column ?? 0
  let [people, sizeBytes] = [0, 0]
  try {
    const write = async (text: string) => {
      const bytes = Buffer.from(text)
      hash.update(bytes)
      sizeBytes += bytes.length
      await file.write(bytes)
    }
    await write(line(audience.columns.length > 0 ? audience.columns : ['Phone number']))
    for await (const page of pages) {
      await write(page.map(({ phone, variables }) => line(withPhone(variables, phoneColumn, phone))).join(''))
      people += page.length
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  const fileName = `${name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')}.csv`
  return { upload: { fileName, mimeType: 'text/csv', path, sizeBytes, sha256: hash.digest() }, people }
}

function withPhone(cells: readonly string[], phoneColumn: number, phone: number): string[] {
  const whole =
    cells.length > phoneColumn ? [...cells] : [...cells, ...Array<string>(phoneColumn + 1 - cells.length).fill('')]
  return whole.with(phoneColumn, `+${phone}`)
}

/** Every cell is quoted and unchanged: the file is read by us, not by a spreadsheet. */
function line(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
}
