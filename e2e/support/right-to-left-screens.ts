import type { Page } from 'playwright-core'
import type { Shot } from './shot.ts'

export const urduOrder =
  'محترم {#var#}، آپ کا آرڈر {#numeric#} روانہ ہو چکا ہے اور کل شام تک پہنچ جائے گا۔ شکریہ، Acme Retail\nمدد کے لیے ہمیں کال کریں'
export const arabicOffer = 'مرحبا {{1}}، خصم *20%* على طلبك رقم {{2}} حتى يوم الجمعة.\nشكرا لك'

export async function writeUrduSms(page: Page) {
  const text = page.getByRole('textbox', { name: /^Text/ })
  await text.fill(urduOrder)
  await page
    .getByLabel(/^Sample of/)
    .first()
    .fill('عائشہ')
}

export async function writeArabicWhatsapp(page: Page) {
  await page.getByRole('textbox', { name: /^Text/ }).fill(arabicOffer)
  await page.getByRole('textbox', { name: 'Footer' }).fill('أرسل توقف لإلغاء الاشتراك')
}

const templates = '/organization/manage-templates'

export const rightToLeftShots: readonly Shot[] = [
  { name: 'create-sms-urdu', as: 'manager', path: `${templates}/create-sms`, act: writeUrduSms },
  {
    name: 'whatsapp-builder-arabic',
    as: 'manager',
    path: `${templates}/whatsapp/whatsapp-template-creation`,
    act: writeArabicWhatsapp,
  },
]
