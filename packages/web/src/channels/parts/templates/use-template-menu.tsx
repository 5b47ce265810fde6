import { Copy, Pencil, Send, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { wizardLink } from '../../../lib/links.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useGo } from '../../../ui/area-link.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import type { TemplateScreens } from '../../channel-templates.ts'
import { editorView } from './editor-view.ts'

type MenuOptions<Row> = {
  screens: TemplateScreens
  idOf: (row: Row) => string
  /** The template for a new campaign; undefined if none can be sent. */
  sendableId: (row: Row) => string | undefined
  mayDelete: boolean
  deleteDialog: (row: Row, onClose: () => void) => ReactNode
}

/** The actions for a template, together with the dialog that they open. */
export function useTemplateMenu<Row>({ screens, idOf, sendableId, mayDelete, deleteDialog }: MenuOptions<Row>) {
  const go = useGo()
  const [deleting, setDeleting] = useState<Row>()
  const { editorPath, wizardPath } = screens
  const menu = (row: Row): MenuItem[] => {
    const id = idOf(row)
    const sendable = sendableId(row)
    const edit = (mode: 'edit' | 'copy') => go(editorPath, writeView(editorView, { templateId: id, mode }))
    return [
      { label: 'Edit', icon: Pencil, onSelect: () => edit('edit') },
      { label: 'Duplicate', icon: Copy, onSelect: () => edit('copy') },
      {
        label: 'Use in campaign',
        icon: Send,
        onSelect: () => go(wizardPath, writeView(wizardLink, { templateId: sendable })),
        disabled: sendable === undefined ? 'Only approved templates can be sent' : undefined,
      },
      ...(mayDelete
        ? [
            'separator' as const,
            { label: 'Delete…', icon: Trash2, destructive: true, onSelect: () => setDeleting(row) },
          ]
        : []),
    ]
  }
  return { menu, dialog: deleting === undefined ? null : deleteDialog(deleting, () => setDeleting(undefined)) }
}
