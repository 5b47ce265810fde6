import { useEffect, useState } from 'react'

/**
 * Replaces the package `react-style-singleton`, which the dialog and menu primitives use to lock page scroll: same
 * functions, but with a constructed style sheet, as a strict content security policy requires.
 */
export function stylesheetSingleton() {
  let users = 0
  let sheet: CSSStyleSheet | undefined

  return {
    add(css: string) {
      if (users === 0) {
        sheet = new CSSStyleSheet()
        sheet.replaceSync(css)
        document.adoptedStyleSheets.push(sheet)
      }
      users += 1
    },
    remove() {
      users -= 1
      if (users > 0 || !sheet) return
      const ours = sheet
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== ours)
      sheet = undefined
    },
  }
}

export function styleHookSingleton() {
  const sheet = stylesheetSingleton()
  return function useStyle(css: string, isDynamic?: boolean) {
    const [first] = useState(css)
    const shown = isDynamic ? css : first
    useEffect(() => {
      sheet.add(shown)
      return () => sheet.remove()
    }, [shown])
  }
}

export function styleSingleton() {
  const useStyle = styleHookSingleton()
  return function Style({ styles, dynamic }: { styles: string; dynamic?: boolean }) {
    useStyle(styles, dynamic)
    return null
  }
}
