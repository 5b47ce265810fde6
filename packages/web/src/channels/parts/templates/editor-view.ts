import { choiceParam, defineView, idParam } from '../../../lib/url-state.ts'

/** The template to edit or copy; undefined for a new template. */
export const editorView = defineView({ templateId: idParam('c'), mode: choiceParam('v', ['edit', 'copy'], 'edit') })

export type EditorMode = 'edit' | 'copy'

/** Distinguishes a user's unsaved drafts. */
export function draftNameOf(channel: string, id: string | undefined, mode: EditorMode): string {
  return `${channel}-template.${id ? `${mode}.${id}` : 'new'}`
}
