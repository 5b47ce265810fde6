import { choiceParam, defineView } from '../../lib/url-state.ts'

export const ranges = ['7', '30', '90'] as const

export const overviewView = defineView({ r: choiceParam(ranges, '7') })
