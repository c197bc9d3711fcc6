package dev.sluice.bucket;

/** Whether a group is allowed, told as its charges are judged one by one. Not thread-safe. */
public final class Vote {
  private boolean denied;
  private boolean together;
  private boolean oneOfThemConforms;

  /** Counts a charge. */
  public void count(BucketCharge.Veto veto, boolean conforms) {
    denied |= veto == BucketCharge.Veto.ALONE && !conforms;
    together |= veto == BucketCharge.Veto.TOGETHER;
    oneOfThemConforms |= veto == BucketCharge.Veto.TOGETHER && conforms;
  }

  /** Whether nothing that was counted denies the group. */
  public boolean allows() {
    return !denied && (!together || oneOfThemConforms);
  }
}
