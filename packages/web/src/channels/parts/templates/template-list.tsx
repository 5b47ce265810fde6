import type { ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useGo } from '../../../ui/area-link.tsx'
import type { Column, Source } from '../../../ui/data-screen/columns.ts'
import { DataScreen } from '../../../ui/data-screen/data-screen.tsx'
import type { Filter } from '../../../ui/data-screen/filter.ts'
import type { Paging } from '../../../ui/data-screen/pager.tsx'
import type { SearchState } from '../../../ui/data-screen/search-box.tsx'
import { Denied } from '../../../ui/denied.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { Page } from '../../../ui/page.tsx'
import type { TemplateScreens } from '../../channel-templates.ts'
import { editorView } from './editor-view.ts'

/** A channel's columns and cards for the list. */
export type TemplateListParts<Row> = {
  title: string
  count?: number | undefined
  actions: ReactNode
  search: SearchState
  filters: readonly Filter[]
  source: Source<Row>
  paging: Paging
  empty: ReactNode
}

type TemplateListProps<Row> = TemplateListParts<Row> & {
  screens: TemplateScreens
  /** Key of the table's density and columns in browser storage. */
  id: string
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  card: (row: Row) => ReactNode
  rowMenu: (row: Row) => readonly MenuItem[]
  bulkDelete: ((rows: readonly Row[], clear: () => void) => ReactNode) | undefined
  peek: {
    id: string | undefined
    onPeek: (id: string | undefined) => void
    /** The open template, if it is on another page. */
    elsewhere: Row | undefined
    body: (row: Row) => ReactNode
    footer: (row: Row) => ReactNode
  }
}

/** The templates of a channel as a table with a peek; on phones, as cards. */
export function TemplateList<Row extends { name: string }>(props: TemplateListProps<Row>) {
  const { screens, bulkDelete, peek, rowId, ...rest } = props
  const { body, footer, ...open } = peek
  const go = useGo()
  if (!mayCall(screens.listCall)) return <DeniedList title={rest.title} />
  return (
    <DataScreen<Row>
      {...rest}
      noun="templates"
      rowId={rowId}
      rowName={({ name }) => name}
      {...(bulkDelete ? { bulk: bulkDelete } : {})}
      onOpen={(row) => go(screens.editorPath, writeView(editorView, { templateId: rowId(row) }))}
      peek={{
        ...open,
        render: (row) => ({ title: row.name, name: row.name, body: body(row), footer: footer(row) }),
      }}
    />
  )
}

function DeniedList({ title }: { title: string }) {
  return (
    <Page title={title}>
      <Denied />
    </Page>
  )
}
