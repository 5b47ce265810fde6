import type { Meta } from './meta.ts'
import type { Category } from './objects.ts'

/** What a template is checked against, beyond itself. */
export type Desk = { meta: Meta; isNamed: boolean; category: Category }
