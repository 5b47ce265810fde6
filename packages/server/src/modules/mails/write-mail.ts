export type WrittenMail = { subject: string; body: string; link: string | null }

/** The mail as plain text: paragraphs, then the link. */
export function textOf({ body, link }: WrittenMail): string {
  return link ? `${body}\n\n${link}\n` : `${body}\n`
}

/** The brand of the nearest account above that has one. */
export type MailBrand = { name: string; color: string }

const ownBrand: MailBrand = { name: 'Carillon', color: '#06707e' }

/** The mail as HTML with the brand's name; all content is escaped. Styles are inline because mail clients drop style sheets. */
export function htmlOf({ subject, body, link }: WrittenMail, brand: MailBrand = ownBrand): string {
  const color = escapeHtml(brand.color)
  const paragraphs = body
    .split(/\n{2,}/)
    .map((text) => `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`)
  const button = link
    ? [
        `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="background:${color};color:#fff;padding:10px 18px;border-radius:6px;text-decoration:none">${escapeHtml(actionOf(link) ?? `Open ${brand.name}`)}</a></p>`,
        `<p style="margin:0;color:#5b6470;font-size:13px">Or open this address: ${escapeHtml(link)}</p>`,
      ]
    : []
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#f5f7f9;color:#14191f;font:15px/1.5 -apple-system,'Segoe UI',Roboto,sans-serif">`,
    `<div style="max-width:560px;margin:0 auto;padding:28px;background:#fff;border-top:4px solid ${color};border-radius:8px">`,
    `<p style="margin:0 0 20px;color:${color};font-weight:600">${escapeHtml(brand.name)}</p>`,
    `<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(subject)}</h1>`,
    ...paragraphs,
    ...button,
    '</div></body></html>',
  ].join('\n')
}

/** The label of a link by its target; undefined if it just opens the product. */
function actionOf(link: string): string | undefined {
  const { pathname, searchParams } = new URL(link, 'http://localhost')
  if (pathname === '/register') return 'Accept invitation'
  if (pathname === '/forget-password') return 'Reset password'
  if (pathname === '/reset-password') return searchParams.has('e') ? 'Review the change' : 'Set password'
  return pathname === '/' ? 'Log in' : undefined
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
