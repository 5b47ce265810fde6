import type { Channel } from '@carillon/contract/channels'
import { findLosses, findRichest, type Loss } from '@carillon/contract/message-losses'
import type { ChannelRenditions, RenditionContent, RenditionSender } from '../../../channels/channel-renditions.ts'
import type { TemplateScreens } from '../../../channels/channel-templates.ts'
import { readableLibraries } from '../../../channels/libraries.ts'
import type { CallError } from '../../../lib/call.ts'
import { useApiReads } from '../../../lib/use-api-reads.ts'
import { choiceOf, type Choice, type FamilyForm } from './family-form.ts'

type Family = { channel: Channel; renditions: ChannelRenditions; screens: TemplateScreens }

/** A channel of a family as it is edited. */
export type EditedRendition = Family & {
  choice: Choice
  senders: { all: readonly RenditionSender[]; isPending: boolean; error: CallError | null }
  /** The sender of a new draft. */
  sender: RenditionSender | undefined
  /** The chosen template as it is stored. */
  stored: { content: RenditionContent | undefined; isPending: boolean; error: CallError | null; refetch: () => void }
  /** What the phone shows. */
  content: RenditionContent | undefined
  /** What saving does with the shared text. */
  write: 'new' | 'replace' | undefined
  losses: readonly Loss[]
}

/** Channels whose templates the role may read, and that can be in a family. */
export function familyChannels(): Family[] {
  return readableLibraries().flatMap(({ channel, templates: { renditions, screens } }) =>
    renditions ? [{ channel, renditions, screens }] : [],
  )
}

/** Every channel with what it sends, and what that lacks compared with the richest one. */
export function useRenditions(form: FamilyForm): EditedRendition[] {
  const families = familyChannels()
  const senders = useApiReads(families.map(({ renditions }) => renditions.senders))
  const chosen = families.flatMap(({ channel, renditions }) => {
    const { mode, templateId } = choiceOf(form, channel)
    return mode === 'off' || templateId === undefined ? [] : [{ channel, read: renditions.read(templateId) }]
  })
  const reads = useApiReads(chosen.map(({ read }) => read))
  const edited = families.map((family, index) => {
    const choice = choiceOf(form, family.channel)
    const read = reads[chosen.findIndex(({ channel }) => channel === family.channel)]
    const { data: all = [], isPending = false, error = null } = senders[index] ?? {}
    const sender = all.find(({ id }) => id === choice.senderId) ?? all[0]
    return {
      ...family,
      choice,
      senders: { all, isPending, error },
      sender,
      stored: {
        content: read?.data,
        isPending: read?.isPending ?? false,
        error: read?.error ?? null,
        refetch: () => void read?.refetch(),
      },
      ...contentOf({ choice, family, sender, stored: read?.data, text: form.text }),
      losses: [],
    }
  })
  const richest = findRichest(edited.flatMap(({ content }) => (content ? [content.traits] : [])))
  return edited.map((each) => ({
    ...each,
    losses: richest && each.content ? findLosses(richest, each.content.traits) : [],
  }))
}

type Writing = {
  choice: Choice
  family: Family
  sender: RenditionSender | undefined
  stored: RenditionContent | undefined
  text: string
}

function contentOf({ choice, family, sender, stored, text }: Writing): Pick<EditedRendition, 'content' | 'write'> {
  if (choice.mode === 'off') return { content: undefined, write: undefined }
  if (choice.mode === 'own' || stored?.says(text)) return { content: stored, write: undefined }
  if (stored?.isDraft) return { content: stored.withText(text), write: 'replace' }
  // While the chosen template loads it is not known whether its text can be replaced.
  if (choice.templateId !== undefined && !stored) return { content: undefined, write: undefined }
  return { content: sender && family.renditions.begin(text, sender), write: 'new' }
}
