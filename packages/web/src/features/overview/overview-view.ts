import { choiceParam, defineView } from '../../lib/url-state.ts'

export const ranges = ['7', '30', '90'] as const
export type Range = (typeof ranges)[number]

export const overviewView = defineView({ range: choiceParam('r', ranges, '7') })
