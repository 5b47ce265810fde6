import type { Meta } from './meta.ts'
import type { Category } from './objects.ts'

/** Context of the template validation. */
export type Desk = { meta: Meta; isNamed: boolean; category: Category }
