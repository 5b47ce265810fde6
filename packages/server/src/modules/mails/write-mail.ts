export type WrittenMail = { subject: string; body: string; link: string | null }

/** The mail as plain text: its paragraphs, then the link. */
export function textOf({ body, link }: WrittenMail): string {
  return link ? `${body}\n\n${link}\n` : `${body}\n`
}

/** The same as a page; nothing in it is taken for markup. */
export function htmlOf({ subject, body, link }: WrittenMail): string {
  const paragraphs = body.split(/\n{2,}/).map((text) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`)
  const button = link ? [`<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`] : []
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body><h1>${escapeHtml(subject)}</h1>`,
    ...paragraphs,
    ...button,
    '</body></html>',
  ].join('\n')
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
