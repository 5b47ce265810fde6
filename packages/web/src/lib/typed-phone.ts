/** What was typed as a phone number, with its country: ten digits that begin as mobiles here do are +91. */
export function typedPhone(text: string): string {
  const plain = text.replaceAll(/[^\d+]/g, '').replace(/^00/, '+')
  const mobile = /^0?([6-9]\d{9})$/.exec(plain)?.[1]
  return mobile ? `+91${mobile}` : plain
}
