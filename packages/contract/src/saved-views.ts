import { z } from 'zod'
import { Id, IdPath, Line, Nothing } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'

/** A saved state of a list: search, filters, order and columns. */
export const SavedView = z.object({
  _id: Id,
  name: z.string(),
  /** The list's query string, without the page and the open row. */
  query: z.string(),
  /** Columns shown or hidden contrary to the list's default, by id. */
  columns: z.record(z.string(), z.boolean()),
  /** Applied when the list is opened. */
  isDefault: z.boolean(),
})
export type SavedView = z.infer<typeof SavedView>

/** Maximum number of views per account and list. */
export const maximumSavedViews = 50

/** Identifies a list: campaigns, users, templates. */
const List = z.string().regex(/^[a-z][a-z-]{0,39}$/)
const ViewName = Line.min(1, 'Enter a name').max(60)
/** Only keys that the screens write: one or two letters, digits, lower-case letters, _ and -. */
const ViewQuery = z
  .string()
  .max(4000)
  .regex(/^(?:[a-z]{1,2}=[0-9a-z_-]*(?:&[a-z]{1,2}=[0-9a-z_-]*)*)?$/)
const Columns = z.record(z.string().max(40), z.boolean()).refine((columns) => Object.keys(columns).length <= 60)
const fallback = 'An unexpected error occurred'

export const savedViewEndpoints = defineEndpoints({
  'savedViews.list': {
    route: 'GET /api/v1/views',
    summary: 'The saved views of a list, by name',
    roles: anyRole,
    query: z.object({ list: List }),
    data: z.object({ views: z.array(SavedView) }),
    fallback,
    addition: true,
  },
  'savedViews.create': {
    route: 'POST /api/v1/views',
    summary: 'Save a list’s current state as a view; a new default view replaces the previous one',
    roles: anyRole,
    body: z.object({
      list: List,
      name: ViewName,
      query: ViewQuery,
      columns: Columns.default({}),
      isDefault: z.boolean().default(false),
    }),
    data: SavedView,
    fallback,
    addition: true,
  },
  'savedViews.change': {
    route: 'PUT /api/v1/views/{id}',
    summary: 'Rename a view, make it the default of its list or not, or replace it',
    roles: anyRole,
    path: IdPath,
    body: z.object({ name: ViewName, query: ViewQuery, columns: Columns, isDefault: z.boolean() }).partial(),
    data: SavedView,
    fallback,
    addition: true,
  },
  'savedViews.remove': {
    route: 'DELETE /api/v1/views/{id}',
    summary: 'Delete a view',
    roles: anyRole,
    path: IdPath,
    data: Nothing,
    fallback,
    addition: true,
  },
})
