import type { Page } from 'playwright-core'

/** Elements that overflow their box or the window without scrolling. */
export async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} "${(element.textContent ?? '').trim().slice(0, 40)}" ${element.className.toString().slice(0, 60)}`
    const scrolls = (style: CSSStyleDeclaration) => /auto|scroll/.test(style.overflowX)
    const isShortened = (style: CSSStyleDeclaration) => style.textOverflow === 'ellipsis'
    const boxes = 'button, a, th, td, label, h1, h2, h3, dt, dd'
    const fields = 'input, textarea, select, option, [role=switch]'
    const isSeen = (element: HTMLElement, style: CSSStyleDeclaration) =>
      element.clientWidth > 1 && style.visibility !== 'hidden' && !element.closest('.phone, .sr-only, [inert]')

    function runsOver(element: HTMLElement, style: CSSStyleDeclaration): boolean {
      if (scrolls(style) || isShortened(style)) return false
      const isClipped = /hidden|clip/.test(style.overflowX)
      const isBox = element.matches(boxes) && style.display !== 'inline' && element.textContent?.trim() !== ''
      // A button may extend into the padding of its row.
      const allowance = isClipped ? 1 : 8
      return (isClipped || isBox) && element.scrollWidth > element.clientWidth + allowance
    }

    function isOutside(element: HTMLElement, style: CSSStyleDeclaration): boolean {
      const { right, width } = element.getBoundingClientRect()
      if (width === 0 || right <= window.innerWidth + 1 || style.position === 'fixed') return false
      for (let box = element.parentElement; box; box = box.parentElement) {
        if (scrolls(getComputedStyle(box)) || isShortened(getComputedStyle(box))) return false
      }
      return true
    }

    /** A segment that is taller than the frame around it. */
    function isTallerThanFrame(element: HTMLElement): boolean {
      const frame = element.matches('[role=radio]') ? element.parentElement : null
      return frame !== null && element.getBoundingClientRect().bottom > frame.getBoundingClientRect().bottom + 1
    }

    return [...document.querySelectorAll<HTMLElement>('body *:not(script, style, svg, svg *)')].flatMap((element) => {
      const style = getComputedStyle(element)
      if (element.matches(fields) || !isSeen(element, style)) return []
      return [
        ...(runsOver(element, style) ? [`runs over: ${nameOf(element)}`] : []),
        ...(isOutside(element, style) ? [`outside the window: ${nameOf(element)}`] : []),
        ...(isTallerThanFrame(element) ? [`taller than its frame: ${nameOf(element)}`] : []),
      ]
    })
  })
}

/** Touch targets below 44 px in width or height, including pseudo-elements and labels. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const least = 43.5
    const targets =
      'button, [role=button], [role=tab], [role=switch], [role=menuitem], [role=radio], [role=checkbox], input, select, summary, a[href]'
    const isSeen = (element: HTMLElement) =>
      element.clientWidth > 1 &&
      getComputedStyle(element).visibility !== 'hidden' &&
      // Links that appear only on focus are for keyboards.
      element.getBoundingClientRect().bottom > 0 &&
      !element.closest('.phone, .sr-only, [inert], [aria-hidden=true]')
    const isInProse = (element: Element) =>
      element.matches('p a, li a, dd a, label a') && getComputedStyle(element).display === 'inline'
    const numberOf = (length: string) => Number.parseFloat(length) || 0

    function sizeOf(element: Element) {
      const { width, height } = element.getBoundingClientRect()
      const after = getComputedStyle(element, '::after')
      if (after.content === 'none' || after.position !== 'absolute') return { width, height }
      return { width: Math.max(width, numberOf(after.width)), height: Math.max(height, numberOf(after.height)) }
    }

    /** A field's target is its frame, a checkbox's target its label. */
    function frameOf(element: HTMLElement): Element {
      if (!element.matches('input')) return element
      const label = element.closest('label')
      return label ?? (element.matches('[type=checkbox], [type=radio]') ? element : (element.parentElement ?? element))
    }

    const found = [...document.querySelectorAll<HTMLElement>(targets)].flatMap((element) => {
      if (!isSeen(element) || element.matches(':disabled') || isInProse(element)) return []
      const [own, around] = [sizeOf(element), sizeOf(frameOf(element))]
      const [width, height] = [Math.max(own.width, around.width), Math.max(own.height, around.height)]
      if (width >= least && height >= least) return []
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? ''
      return [`${Math.round(width)} × ${Math.round(height)}: ${element.tagName.toLowerCase()} "${name}"`]
    })
    return [...new Set(found)]
  })
}

/** Pairs of overlapping texts. Fixed and sticky boxes may cover the page and are only compared within themselves. */
export async function overlappingTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Line = {
      node: Node
      text: string
      layer: Element | null
      left: number
      right: number
      top: number
      bottom: number
    }

    /** The fixed or sticky box that an element is in. */
    function layerOf(element: Element | null): Element | null {
      if (!element || /fixed|sticky/.test(getComputedStyle(element).position)) return element
      return layerOf(element.parentElement)
    }

    /** The visible bounds of an element's text, clipped by its ancestors. */
    function clipOf(element: Element) {
      const clip = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity }
      for (let box: Element | null = element; box; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box)
        if (overflowX === 'visible' && overflowY === 'visible') continue
        const edges = box.getBoundingClientRect()
        clip.left = Math.max(clip.left, edges.left)
        clip.right = Math.min(clip.right, edges.right)
        clip.top = Math.max(clip.top, edges.top)
        clip.bottom = Math.min(clip.bottom, edges.bottom)
      }
      return clip
    }

    function linesOf(node: Node): Line[] {
      const element = node.parentElement
      const text = node.textContent?.trim()
      if (!element || !text || element.closest('.phone, .sr-only, svg, script, [inert], [aria-hidden=true]')) return []
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return []
      const range = document.createRange()
      range.selectNodeContents(node)
      const [clip, layer] = [clipOf(element), layerOf(element)]
      return [...range.getClientRects()].map((box) => ({
        node,
        text: text.slice(0, 60),
        layer,
        left: Math.max(box.left, clip.left),
        right: Math.min(box.right, clip.right),
        top: Math.max(box.top, clip.top),
        bottom: Math.min(box.bottom, clip.bottom),
      }))
    }

    const lines: Line[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) lines.push(...linesOf(node))
    const found = lines.flatMap((one, index) =>
      lines.slice(index + 1).flatMap((other) => {
        const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
        const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
        if (one.node === other.node || one.layer !== other.layer || width < 0.5 || height < 6) return []
        return [`"${one.text}" and "${other.text}"`]
      }),
    )
    return [...new Set(found)]
  })
}
