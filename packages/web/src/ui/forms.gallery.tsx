import { Search } from 'lucide-react'
import { useState } from 'react'
import type { Gallery } from '../lib/gallery.ts'
import { Checkbox } from './checkbox.tsx'
import { Field } from './field.tsx'
import { FileDrop } from './file-drop.tsx'
import { Input, Textarea } from './input.tsx'
import { RadioGroup } from './radio.tsx'
import { Segmented } from './segmented.tsx'
import { Select } from './select.tsx'
import { Switch } from './switch.tsx'

const options = [
  { value: 'promotional', label: 'Promotional' },
  { value: 'service', label: 'Service' },
] as const

export const gallery: Gallery = {
  title: 'Form controls',
  states: {
    text: () => (
      <div className="flex w-80 flex-col gap-4">
        <Field label="Name" help="Only you see it.">
          <Input defaultValue="diwali_early_access" />
        </Field>
        <Field label="Amount" error="Please enter a valid balance amount">
          <Input defaultValue="0" leading={<span>₹</span>} />
        </Field>
        <Field label="Search" hint="optional">
          <Input placeholder="Search campaigns" leading={<Search aria-hidden />} />
        </Field>
        <Field label="Message" aside="148/160">
          <Textarea defaultValue="नमस्ते Priya, आपका ऑर्डर आज पहुँचेगा।" />
        </Field>
      </div>
    ),
    choices: () => <Choices />,
    file: () => (
      <div className="w-120">
        <FileDrop
          title="Drop a CSV or Excel file"
          help="Up to 100 MB"
          accept=".csv,.xlsx"
          maximumBytes={1024}
          onFile={() => {}}
        />
      </div>
    ),
  },
}

function Choices() {
  const [category, setCategory] = useState<(typeof options)[number]['value']>('promotional')
  const [isOn, setIsOn] = useState(true)
  return (
    <div className="flex w-80 flex-col gap-4">
      <Field label="Category">
        <Select options={options} value={category} onValueChange={setCategory} />
      </Field>
      <Segmented label="Category" options={options} value={category} onValueChange={setCategory} />
      <RadioGroup label="Category" choices={options} value={category} onValueChange={setCategory} />
      <Checkbox label="These people agreed" help="DND numbers are removed." defaultChecked />
      <Checkbox label="Some of them" mixed onChange={() => {}} />
      <Field label="On">
        <Switch checked={isOn} onCheckedChange={setIsOn} />
      </Field>
    </div>
  )
}
