/** Normalises a typed phone number; ten digits like an Indian mobile number get +91. */
export function typedPhone(text: string): string {
  const plain = text.replaceAll(/[^\d+]/g, '').replace(/^00/, '+')
  const mobile = /^0?([6-9]\d{9})$/.exec(plain)?.[1]
  return mobile ? `+91${mobile}` : plain
}
