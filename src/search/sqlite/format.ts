/** Of what an index holds; one of another format is made anew. While it is, it has the opposite. */
export const FORMAT = 2;
