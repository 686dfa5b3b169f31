// Every word of the tables, in the language of whoever reads them. All languages are here at once: the file that the
// program writes can fetch nothing.

import { language } from "../shared/spoken";
import type { Described } from "./data";
import { figuresOf } from "./figures";
import { de } from "./words/de";
import { en, type Words } from "./words/en";
import { es } from "./words/es";
import { fr } from "./words/fr";
import { it } from "./words/it";

const kWords: Record<typeof language, Words> = { en, de, fr, it, es };

export const t = kWords[language];
export const { figure } = figuresOf(language);

export const named = ({ composer, title }: Described): string => [composer, title].filter(Boolean).join(": ") || t.untitled;
