// Numbers that somebody typed: one to take, or those of a set.

const NUMBER = /^[+-]?\d{1,15}$/;

/** The numbers in a text, and if they are not what is asked for, `advice` on what to type. */
export function readTyped(text, isSet) {
  const words = text.split(/[\s,]+/).filter(Boolean);
  const isRight = words.length > 0 && words.every((word) => NUMBER.test(word)) && (isSet || words.length === 1);
  const advice = isSet ? "Type the numbers of your set." : "Type one number.";
  return { numbers: words.map(Number), advice: isRight ? "" : advice };
}
