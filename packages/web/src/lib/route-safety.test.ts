import { expect, test } from 'vitest'
import { isSafeAddress } from './route-safety.ts'

test.each([
  ['a script tag', '/organization?q=<script>alert(1)</script>'],
  ['an encoded script tag', '/organization?q=%3Cscript%3E'],
  ['a closing script tag', '/organization/%3C/SCRIPT%3E'],
  ['a javascript address', '/?next=javascript:alert(1)'],
  ['an error handler', '/?x=onerror=alert(1)'],
  ['a load handler', '/?x=ONLOAD%3D1'],
  ['select', '/?q=Select%201'],
  ['drop', '/?q=drop+table'],
  ['union', '/union'],
  ['insert', '/?q=insert'],
  ['update', '/?s=updatedAt'],
  ['delete', '/?status=deleted'],
  ['truncate', '/?q=TRUNCATE'],
  ['a single quote', "/?q=o'clock"],
  ['an encoded double quote', '/?q=%22'],
  ['a double dash', '/?q=a--b'],
  ['a semicolon', '/?q=a;b'],
  ['an opening comment', '/?q=/*'],
  ['a closing comment', '/?q=*/'],
  ['a markup comment', '/?q=<!-- x'],
  ['a step up', '/organization/../admin'],
  ['an encoded step up', '/%2e%2e%2fadmin'],
  ['something behind a stray percent sign', '/?q=%&x=%3Cscript%3E'],
])('%s is refused', (_, address) => {
  expect(isSafeAddress(address)).toBe(false)
})

test.each([
  '/',
  '/organization',
  '/organization/campaigns?p=2&c=0190c5b7-8f6e-7b1a-9c3d-2e4f5a6b7c8d',
  '/department-head/manage-templates/create-sms',
  '/reset-password?token=5f2b9c',
  '/organization/campaigns?q=64726f70&r=20251101-20251107',
  '/100%',
])('%s is let through', (address) => {
  expect(isSafeAddress(address)).toBe(true)
})
