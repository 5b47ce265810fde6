import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, IdPath, Name } from './common.ts'
import { Contact } from './conversation-records.ts'
import { defineEndpoints } from './endpoint.ts'

const call = {
  roles: ['manager', 'user', 'department_head'],
  module: 'chat',
  fallback: 'An unexpected error occurred',
  required: { id: 'Choose a contact' },
  addition: true,
} as const

/** Contacts of the inbox. */
export const contactEndpoints = defineEndpoints({
  'contacts.get': {
    ...call,
    route: 'GET /api/v1/contacts/{id}',
    summary: 'A contact with its identities, conversations and campaigns',
    scope: 'contacts:read',
    path: IdPath,
    data: Contact,
    tool: {
      name: 'get_contact',
      title: 'Get a contact',
      description: 'Reads a contact with its identities, conversations and campaigns.',
    },
  },
  'contacts.rename': {
    ...call,
    route: 'PUT /api/v1/contacts/{id}',
    summary: 'Name a contact; null shows the name that the channel reports',
    scope: 'contacts:write',
    path: IdPath,
    body: z.strictObject({ name: Name.nullable() }),
    data: Contact,
  },
  'contacts.merge': {
    ...call,
    route: 'POST /api/v1/contacts/{id}/merge',
    summary: 'Add the identities of another contact, which is the same person',
    scope: 'contacts:write',
    path: IdPath,
    body: z.strictObject({ contactId: Id }),
    data: Contact,
  },
  'contacts.split': {
    ...call,
    route: 'POST /api/v1/contacts/{id}/split',
    summary: 'Make identities a contact of their own, such as after a number changed hands',
    scope: 'contacts:write',
    path: IdPath,
    body: z.strictObject({
      identities: z
        .array(z.strictObject({ channel: Channel, identity: z.string().min(1).max(200) }))
        .min(1)
        .max(20),
    }),
    data: Contact,
  },
  'contacts.undo': {
    ...call,
    route: 'POST /api/v1/contacts/{id}/changes/{changeId}/undo',
    summary: 'Undo a merge or split',
    scope: 'contacts:write',
    path: IdPath.extend({ changeId: Id }),
    data: Contact,
  },
})
