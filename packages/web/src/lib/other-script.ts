/**
 * Whether most letters of an SMS are of another script than the Latin one: such a text is Unicode on purpose, and none of
 * its letters is a mistake.
 */
export function isInOtherScript(text: string): boolean {
  const letters = text.replaceAll(/\{#\w+#\}/g, '').match(/\p{L}/gu) ?? []
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter))
  return letters.length > latin.length * 2
}
