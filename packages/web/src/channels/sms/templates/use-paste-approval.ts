import { useEffect } from 'react'
import { parseApproval } from '../parse-approval.ts'
import { smsTemplateScreens } from './screens.ts'
import { formOfApproval, leaveForNextScreen } from './form.ts'
import { useGo } from '../../../ui/area-link.tsx'

/** Turns an approval's text, pasted anywhere on the page, into a prefilled form. */
export function usePasteApproval() {
  const go = useGo()
  useEffect(() => {
    function onPaste(event: ClipboardEvent) {
      if (event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]')) return
      const approved = parseApproval(event.clipboardData?.getData('text/plain') ?? '')
      if (!approved) return
      event.preventDefault()
      leaveForNextScreen(formOfApproval(approved))
      go(smsTemplateScreens.editorPath)
    }
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  })
}
