/** What a DELETE and a revoke answer. */
export class SuccessDto {
  /** @example true */
  success: boolean;
}

export async function succeeded(work: Promise<void>): Promise<SuccessDto> {
  await work;
  return { success: true };
}
