import type { contactEndpoints } from '@carillon/contract/contacts'
import type { Handlers } from '../../../http/handlers.ts'
import { mergeContacts, renameContact, splitContact, undoChange } from '../contacts/change-contact.ts'
import { getContact } from '../contacts/find-contact.ts'

export const contactHandlers: Handlers<typeof contactEndpoints> = {
  'contacts.get': ({ db, actor: member, input }) => getContact(db, { member, id: input.path.id }),
  'contacts.rename': async ({ db, actor: member, input }) => {
    await renameContact(db, { member, id: input.path.id, ...input.body })
    return getContact(db, { member, id: input.path.id })
  },
  'contacts.merge': async ({ db, actor: member, input }) => {
    await mergeContacts(db, { member, id: input.path.id, ...input.body })
    return getContact(db, { member, id: input.path.id })
  },
  'contacts.split': async ({ db, actor: member, input }) => {
    await splitContact(db, { member, id: input.path.id, ...input.body })
    return getContact(db, { member, id: input.path.id })
  },
  'contacts.undo': async ({ db, actor: member, input }) =>
    getContact(db, { member, id: await undoChange(db, { member, ...input.path }) }),
}
