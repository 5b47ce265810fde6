/** Whether most letters of an SMS are non-Latin: then Unicode is intended, and no letter is a mistake. */
export function isInOtherScript(text: string): boolean {
  const letters = text.replaceAll(/\{#\w+#\}/g, '').match(/\p{L}/gu) ?? []
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter))
  return letters.length > latin.length * 2
}
