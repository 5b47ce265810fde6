import { choiceParam, defineView, idParam } from '../../../lib/url-state.ts'

/** The template that an editor changes or copies; without one, it begins a new template. */
export const editorView = defineView({ templateId: idParam('c'), mode: choiceParam('v', ['edit', 'copy'], 'edit') })

export type EditorMode = 'edit' | 'copy'

/** Distinguishes the unsaved drafts of a person. */
export function draftNameOf(channel: string, id: string | undefined, mode: EditorMode): string {
  return `${channel}-template.${id ? `${mode}.${id}` : 'new'}`
}
