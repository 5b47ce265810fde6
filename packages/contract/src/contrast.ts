/** Background and text colours that brand colours are checked against, per theme. */
export const brandSurfaces = {
  light: { surface: '#ffffff', text: '#ffffff' },
  dark: { surface: '#181f24', text: '#01151a' },
} as const

/** Minimum contrast for normal text (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5

/** Contrast ratio (WCAG): 1 for equal colours, 21 for black on white. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The lower of two contrasts: the colour on the theme's surface, and text on the colour. */
export function brandContrast(colour: string, theme: keyof typeof brandSurfaces): number {
  const { surface, text } = brandSurfaces[theme]
  return Math.min(contrastOf(colour, surface), contrastOf(colour, text))
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
