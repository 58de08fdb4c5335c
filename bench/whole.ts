import { InvalidArgumentError } from 'commander'

/** A flag's number; one line says what is wrong with another. */
export function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('give a number above 0')
  return Number(text)
}
