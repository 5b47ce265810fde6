import type { Channel } from '@carillon/contract/channels'
import type { TemplateFamily } from '@carillon/contract/template-families'
import { useQueryClient } from '@tanstack/react-query'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import { call, CallError } from '../../../lib/call.ts'
import { refresh, useWriteOnce } from '../../../lib/use-api.ts'
import type { FamilyForm } from './family-form.ts'
import type { EditedRendition } from './use-renditions.ts'

type SaveOptions = {
  /** An existing family. */
  id: string | undefined
  renditions: readonly EditedRendition[]
  /** Called for each draft once it is written, even if a later one is rejected. */
  onWritten: (channel: Channel, templateId: string) => void
  onSaved: (family: TemplateFamily) => void
}

/** Writes the shared text to the drafts that follow it, then the family. */
export function useSaveFamily({ id, renditions, onWritten, onSaved }: SaveOptions) {
  const queries = useQueryClient()
  const settled = () => void refresh(queries, ['families.list', 'families.get', ...renditions.map(listCallOf)])
  return useWriteOnce<TemplateFamily, FamilyForm>({
    async write(form, { key }) {
      const used = renditions.filter(({ choice }) => choice.mode !== 'off')
      const saved = []
      for (const each of used) {
        const templateId = await writeText(each, form, `${key}-${each.channel}`)
        if (templateId !== each.choice.templateId) onWritten(each.channel, templateId)
        saved.push({ channel: each.channel, templateId, followsText: each.choice.mode === 'text' })
      }
      const body = { name: form.name.trim(), text: form.text, renditions: saved }
      return id === undefined
        ? call('families.create', { body }, { key })
        : call('families.update', { path: { id }, body }, { key })
    },
    onSuccess(family) {
      settled()
      onSaved(family)
    },
    onError: settled,
  })
}

const listCallOf = ({ screens }: EditedRendition) => screens.listCall

/** Returns the template of the rendition: the chosen one, or a draft with the shared text. */
async function writeText({ channel, renditions, ...each }: EditedRendition, form: FamilyForm, key: string) {
  const { choice, write, sender } = each
  const into =
    write === 'replace' && choice.templateId !== undefined
      ? { templateId: choice.templateId }
      : write === 'new' && sender
        ? { name: form.name.trim(), senderId: sender.id }
        : undefined
  if (into) return withChannelName(channel, renditions.save({ text: form.text, into, key }))
  if (choice.templateId === undefined) throw new Error('Checked before saving: a rendition has a template or a sender')
  return choice.templateId
}

/** An error of a channel's template names the channel; its fields are not on this screen. */
async function withChannelName<Result>(channel: Channel, writing: Promise<Result>): Promise<Result> {
  try {
    return await writing
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const { message, status, code } = error
    throw new CallError({ message: `${channelLabel(channel)}: ${message}`, status, code })
  }
}
