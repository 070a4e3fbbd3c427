/** The response to a deletion or revocation. */
export class SuccessDto {
  /** @example true */
  success: boolean;
}

export async function succeeded(work: Promise<void>): Promise<SuccessDto> {
  await work;
  return { success: true };
}
