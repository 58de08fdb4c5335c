/** What a colour is for; app/globals.css has the same colours under the same names. */
export type Ink = 'paper' | 'ink' | 'soft' | 'faint' | 'line' | 'edge' | 'accent' | 'alert' | 'warn' | 'good'

export type Palette = Readonly<Record<Ink, string>>

/** For pictures that leave the site. */
export const LIGHT: Palette = {
  paper: '#ffffff',
  ink: '#1b1d21',
  soft: '#4d5158',
  faint: '#676c75',
  line: '#e5e5e1',
  edge: '#c8c8c3',
  accent: '#175ea8',
  alert: '#b3261e',
  warn: '#855600',
  good: '#0f6b53',
}

export const DARK: Palette = {
  paper: '#15171a',
  ink: '#e6e8eb',
  soft: '#abb1ba',
  faint: '#8d949f',
  line: '#2a2e34',
  edge: '#444a53',
  accent: '#84b9f4',
  alert: '#ff9a8c',
  warn: '#e6b655',
  good: '#6fcaa8',
}
