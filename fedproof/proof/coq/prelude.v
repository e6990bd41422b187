(* Definitions and lemmas that certificates need: inner-product spaces, sums, signs. *)
From Coq Require Export Reals ZArith Lra Lia.
From Coq Require Import FunctionalExtensionality.
Open Scope R_scope.

(* Inner-product spaces *)

Record Space := {
  carrier :> Type;
  zero_of : carrier;
  add_of : carrier -> carrier -> carrier;
  scale_of : R -> carrier -> carrier;
  product_of : carrier -> carrier -> R;
  add_comm : forall u v, add_of u v = add_of v u;
  add_assoc : forall u v w, add_of u (add_of v w) = add_of (add_of u v) w;
  add_zero : forall u, add_of u zero_of = u;
  add_opposite : forall u, add_of u (scale_of (-1) u) = zero_of;
  scale_one : forall u, scale_of 1 u = u;
  scale_scale : forall a b u, scale_of a (scale_of b u) = scale_of (a * b) u;
  scale_add : forall a u v, scale_of a (add_of u v) = add_of (scale_of a u) (scale_of a v);
  add_scale : forall a b u, scale_of (a + b) u = add_of (scale_of a u) (scale_of b u);
  product_sym : forall u v, product_of u v = product_of v u;
  product_add : forall u v w, product_of (add_of u v) w = product_of u w + product_of v w;
  product_scale : forall a u v, product_of (scale_of a u) v = a * product_of u v;
  product_nonnegative : forall u, 0 <= product_of u u;
  product_definite : forall u, product_of u u = 0 -> u = zero_of
}.

Definition vzero {V : Space} : V := zero_of V.
Definition vadd {V : Space} (u v : V) : V := add_of V u v.
Definition vscal {V : Space} (a : R) (u : V) : V := scale_of V a u.
Definition ip {V : Space} (u v : V) : R := product_of V u v.
Definition n2 {V : Space} (u : V) : R := ip u u.
Notation "u [+] v" := (vadd u v) (at level 50, left associativity).
Notation "a [*] u" := (vscal a u) (at level 40, no associativity).

(* Sums over whole numbers between two ends *)

Fixpoint terms (f : Z -> R) (lo : Z) (n : nat) : R :=
  match n with O => 0 | S k => terms f lo k + f (lo + Z.of_nat k)%Z end.
Definition sumZ (lo hi : Z) (f : Z -> R) : R := terms f lo (Z.to_nat (hi - lo + 1)).

Fixpoint vterms {V : Space} (f : Z -> V) (lo : Z) (n : nat) : V :=
  match n with O => vzero | S k => vterms f lo k [+] f (lo + Z.of_nat k)%Z end.
Definition vsum {V : Space} (lo hi : Z) (f : Z -> V) : V := vterms f lo (Z.to_nat (hi - lo + 1)).

(* The laws have models: the reals, products of two spaces, and so R^n *)

Definition reals : Space.
Proof.
  refine {| carrier := R; zero_of := 0; add_of := Rplus; scale_of := Rmult; product_of := Rmult |};
    intros; try ring.
  - nra.
  - apply Rmult_integral in H. tauto.
Defined.

Definition point : Space.
Proof.
  refine {| carrier := unit; zero_of := tt; add_of := fun _ _ => tt; scale_of := fun _ _ => tt;
            product_of := fun _ _ => 0 |}; intros; try destruct u; try reflexivity; try ring; lra.
Defined.

Definition both_of (V W : Space) : Space.
Proof.
  refine {| carrier := V * W; zero_of := (zero_of V, zero_of W);
            add_of := fun x y => (add_of V (fst x) (fst y), add_of W (snd x) (snd y));
            scale_of := fun a x => (scale_of V a (fst x), scale_of W a (snd x));
            product_of := fun x y => product_of V (fst x) (fst y) + product_of W (snd x) (snd y) |};
    intros; try destruct u; try destruct v; try destruct w; simpl.
  - f_equal; apply add_comm.
  - f_equal; apply add_assoc.
  - f_equal; apply add_zero.
  - f_equal; apply add_opposite.
  - f_equal; apply scale_one.
  - f_equal; apply scale_scale.
  - f_equal; apply scale_add.
  - f_equal; apply add_scale.
  - f_equal; apply product_sym.
  - rewrite !product_add. ring.
  - rewrite !product_scale. ring.
  - apply Rplus_le_le_0_compat; apply product_nonnegative.
  - pose proof (product_nonnegative V c). pose proof (product_nonnegative W c0). simpl in H.
    f_equal; apply product_definite; lra.
Defined.

Fixpoint Rn (n : nat) : Space := match n with O => point | S k => both_of reals (Rn k) end.

(* Laws in the words of certificates *)

Section Laws.
Context {V : Space}.
Implicit Types (u v w : V) (a : R).

Lemma ip_sym u v : ip u v = ip v u. Proof. apply product_sym. Qed.
Lemma ip_add u v w : ip (u [+] v) w = ip u w + ip v w. Proof. apply product_add. Qed.
Lemma ip_scal a u v : ip (a [*] u) v = a * ip u v. Proof. apply product_scale. Qed.
Lemma ip_add_r u v w : ip w (u [+] v) = ip w u + ip w v.
Proof. rewrite !(ip_sym w). apply ip_add. Qed.
Lemma ip_scal_r a u v : ip v (a [*] u) = a * ip v u.
Proof. rewrite !(ip_sym v). apply ip_scal. Qed.
Lemma ip_zero u : ip vzero u = 0.
Proof.
  assert (H : ip (vzero [+] vzero) u = ip vzero u) by (unfold vadd, vzero; rewrite add_zero; reflexivity).
  rewrite ip_add in H. lra.
Qed.
Lemma ip_zero_r u : ip u vzero = 0. Proof. rewrite ip_sym. apply ip_zero. Qed.
Lemma n2_nonneg u : 0 <= n2 u. Proof. apply product_nonnegative. Qed.

Lemma vext u v : (forall w, ip u w = ip v w) -> u = v.
Proof.
  intro H.
  assert (Z : u [+] (-1 [*] v) = vzero).
  { apply product_definite. change (ip (u [+] (-1 [*] v)) (u [+] (-1 [*] v)) = 0).
    rewrite ip_add, ip_scal, H. ring. }
  transitivity ((u [+] (-1 [*] v)) [+] v).
  - unfold vadd, vscal. rewrite <- add_assoc, (add_comm V _ v), add_opposite, add_zero. reflexivity.
  - rewrite Z. unfold vadd, vzero. rewrite add_comm. apply add_zero.
Qed.

Lemma gram u v : 0 <= n2 u * n2 v - ip u v * ip u v.
Proof.
  destruct (Req_dec (n2 v) 0) as [E | E].
  - assert (v = vzero) as -> by (apply product_definite; exact E).
    unfold n2. rewrite !ip_zero_r. lra.
  - pose proof (n2_nonneg v) as P.
    pose proof (n2_nonneg (n2 v [*] u [+] (- ip u v [*] v))) as H. unfold n2 in *.
    rewrite !ip_add, !ip_add_r, !ip_scal, !ip_scal_r, (ip_sym v u) in H.
    apply Rmult_le_reg_l with (ip v v); [lra |]. rewrite Rmult_0_r.
    eapply Rle_trans; [exact H |]. right. ring.
Qed.
End Laws.

(* Inner products of combinations, by computation *)

Inductive combination :=
  | None_ | One (n : nat) | Plus (e f : combination) | Times (a : R) (e : combination).

Section Expansion.
Context {V : Space} (at_ : nat -> V).
Fixpoint value (e : combination) : V :=
  match e with
  | None_ => vzero | One n => at_ n | Plus e f => value e [+] value f | Times a e => a [*] value e
  end.
Fixpoint along_one (e : combination) (n : nat) : R :=
  match e with
  | None_ => 0
  | One m => if (m <=? n)%nat then ip (at_ m) (at_ n) else ip (at_ n) (at_ m)
  | Plus e f => along_one e n + along_one f n
  | Times a e => a * along_one e n
  end.
Fixpoint expanded (e f : combination) : R :=
  match f with
  | None_ => 0 | One n => along_one e n | Plus f g => expanded e f + expanded e g
  | Times a f => a * expanded e f
  end.
Lemma along_one_is e n : ip (value e) (at_ n) = along_one e n.
Proof.
  induction e; simpl.
  - apply ip_zero.
  - destruct (n0 <=? n)%nat; [reflexivity | apply ip_sym].
  - rewrite ip_add. congruence.
  - rewrite ip_scal. congruence.
Qed.
Lemma expanded_is e f : ip (value e) (value f) = expanded e f.
Proof.
  induction f; simpl.
  - apply ip_zero_r.
  - apply along_one_is.
  - rewrite ip_add_r. congruence.
  - rewrite ip_scal_r. congruence.
Qed.
End Expansion.

Fixpoint nth_of {V : Space} (l : list V) (n : nat) : V :=
  match l, n with nil, _ => vzero | cons x _, O => x | cons _ l, S n => nth_of l n end.

(* Signs of products and of their sums *)

Lemma gap_le a b : a <= b -> 0 <= b - a. Proof. lra. Qed.
Lemma gap_lt a b : a < b -> 0 < b - a. Proof. lra. Qed.
Lemma gap_eq a b : a = b -> b - a = 0. Proof. lra. Qed.
Lemma gap_ne a b : a <> b -> b - a <> 0. Proof. lra. Qed.
Lemma gap_along {V : Space} (a b u : V) : a = b -> ip a u - ip b u = 0. Proof. intros ->. ring. Qed.
Lemma square_nonneg a : 0 <= a * a. Proof. nra. Qed.
Lemma square_pos a : a <> 0 -> 0 < a * a. Proof. intro. nra. Qed.
Lemma size_plus a : 0 <= Rabs a + a. Proof. unfold Rabs. destruct (Rcase_abs a); lra. Qed.
Lemma size_minus a : 0 <= Rabs a - a. Proof. unfold Rabs. destruct (Rcase_abs a); lra. Qed.
Lemma size_square a : Rabs a * Rabs a = a * a.
Proof. unfold Rabs. destruct (Rcase_abs a); ring. Qed.
Lemma max_is a b : Rmax a b = (a + b + Rabs (a - b)) / 2.
Proof. unfold Rmax, Rabs. destruct (Rle_dec a b), (Rcase_abs (a - b)); lra. Qed.
Lemma min_is a b : Rmin a b = (a + b - Rabs (a - b)) / 2.
Proof. unfold Rmin, Rabs. destruct (Rle_dec a b), (Rcase_abs (a - b)); lra. Qed.
Lemma zero_times a b : a = 0 -> a * b = 0. Proof. intros ->. ring. Qed.
Lemma times_zero a b : b = 0 -> a * b = 0. Proof. intros ->. ring. Qed.
Lemma times_pp a b : 0 < a -> 0 < b -> 0 < a * b. Proof. apply Rmult_lt_0_compat. Qed.
Lemma times_nn a b : 0 <= a -> 0 <= b -> 0 <= a * b. Proof. apply Rmult_le_pos. Qed.
Lemma times_ne a b : a <> 0 -> b <> 0 -> a * b <> 0. Proof. intros; nra. Qed.
Lemma weak a : 0 < a -> 0 <= a. Proof. lra. Qed.
Lemma flat a : a = 0 -> 0 <= a. Proof. lra. Qed.
Lemma sum_pp a b : 0 < a -> 0 < b -> 0 < a + b. Proof. lra. Qed.
Lemma sum_pn a b : 0 < a -> 0 <= b -> 0 < a + b. Proof. lra. Qed.
Lemma sum_np a b : 0 <= a -> 0 < b -> 0 < a + b. Proof. lra. Qed.
Lemma sum_nn a b : 0 <= a -> 0 <= b -> 0 <= a + b. Proof. lra. Qed.
Lemma sum_ez a b : a <> 0 -> b = 0 -> a + b <> 0. Proof. lra. Qed.
Lemma sum_ze a b : a = 0 -> b <> 0 -> a + b <> 0. Proof. lra. Qed.
Lemma sum_zz a b : a = 0 -> b = 0 -> a + b = 0. Proof. lra. Qed.
Lemma impossible a : 0 < a -> a = 0 -> False. Proof. lra. Qed.

Lemma refute_le (a b : R) : (b < a -> False) -> a <= b. Proof. intro. lra. Qed.
Lemma refute_lt (a b : R) : (b <= a -> False) -> a < b. Proof. intro. lra. Qed.
Lemma refute_eq (a b : R) : (a <> b -> False) -> a = b.
Proof. intro H. destruct (Req_dec a b); [assumption | contradiction]. Qed.

(* What is needed to be defined *)

Lemma nonzero_times a b : a <> 0 -> b <> 0 -> a * b <> 0. Proof. apply times_ne. Qed.
Lemma nonzero_inverse a : a <> 0 -> / a <> 0. Proof. apply Rinv_neq_0_compat. Qed.
Lemma nonzero_power a n : a <> 0 -> a ^ n <> 0. Proof. intros; apply pow_nonzero; assumption. Qed.
Lemma nonzero_root a : 0 <= a -> a <> 0 -> sqrt a <> 0.
Proof. intros P N E. apply N. apply sqrt_eq_0; assumption. Qed.
Lemma nonzero_size a : a <> 0 -> Rabs a <> 0. Proof. apply Rabs_no_R0. Qed.
Lemma nonzero_by t f q : f = q * t -> f <> 0 -> t <> 0.
Proof. intros E N Z. apply N. rewrite E, Z. ring. Qed.
Lemma nonneg_by t f q : 0 <= q -> t = q * f -> 0 <= f -> 0 <= t.
Proof. intros Q -> F. apply Rmult_le_pos; assumption. Qed.
Lemma apart_lt a b : a < b -> b - a <> 0. Proof. lra. Qed.
Lemma unzero a b : b - a <> 0 -> a <> b. Proof. lra. Qed.

Lemma factor_left a b : a * b <> 0 -> a <> 0. Proof. intros N Z. apply N. rewrite Z. ring. Qed.
Lemma factor_right a b : a * b <> 0 -> b <> 0. Proof. intros N Z. apply N. rewrite Z. ring. Qed.
Lemma base_apart a n : a ^ S n <> 0 -> a <> 0. Proof. apply factor_left. Qed.
Ltac factors := repeat match goal with
  | N : ?a * ?b <> 0 |- _ => pose proof (factor_left a b N); pose proof (factor_right a b N); clear N
  | N : ?a ^ S ?n <> 0 |- _ => apply (base_apart a n) in N
  end.
Ltac multiple := match goal with N : ?u <> 0 |- _ <> 0 =>
  let Z := fresh in intro Z; apply N; first [clear - Z; lra | rewrite Z; clear; ring] end.
Ltac stated := match goal with N : ?t |- ?t => exact N end.
Ltac apart :=
  lazymatch goal with
  | |- _ /\ _ => split; apart
  | |- _ <> _ => first [stated
      | apply nonzero_times; apart | apply nonzero_inverse; apart | apply nonzero_power; apart
      | apply nonzero_root; [first [stated | clear; lra] | apart]
      | solve [apply not_eq_sym; apply Rlt_not_eq; assumption] | lra | multiple]
  end.
Ltac defined := first [solve [apart] | factors; apart].

Ltac alike_in f := match goal with |- context [f ?t] => match goal with |- context [f ?u] =>
  tryif constr_eq t u then fail else replace (f t) with (f u) by (f_equal; ring) end end.
Ltac alike := repeat first [alike_in sqrt | alike_in Rabs | alike_in Rinv].
Ltac same_arguments := clear; f_equal; solve [lia | ring].
Ltac identity := first [ring | field; defined | alike; ring].
Lemma inverse_of t k c u : k * c = 1 -> t = k * u -> / t = c * / u.
Proof.
  intros K ->. assert (k <> 0) by (intros ->; lra).
  rewrite Rinv_mult. f_equal. apply Rmult_eq_reg_l with k; [| assumption].
  rewrite Rinv_r by assumption. symmetry. exact K.
Qed.

Lemma even_nonneg a k : 0 <= a ^ (k + k).
Proof. rewrite pow_add. apply square_nonneg. Qed.
Lemma inverse_nonneg a : a <> 0 -> 0 <= a -> 0 <= / a.
Proof. intros N P. apply Rlt_le, Rinv_0_lt_compat. lra. Qed.
Lemma positive_nonzero a : 0 < a -> a <> 0. Proof. lra. Qed.
Lemma times_cancel d a b : d <> 0 -> d * (a - b) = 0 -> a = b.
Proof. intros N E. apply Rmult_integral in E. lra. Qed.
Lemma size_is x r : 0 <= r -> r * r = x * x -> Rabs x = r.
Proof.
  intros P E. rewrite <- sqrt_Rsqr_abs. unfold Rsqr. rewrite <- E. apply sqrt_square. exact P.
Qed.
Lemma root_is t r : 0 <= r -> r * r = t -> sqrt t = r.
Proof. intros P <-. apply sqrt_square. exact P. Qed.
Lemma between (lo v hi : Z) : (lo <= v)%Z -> (v <= hi)%Z -> (lo <= v <= hi)%Z.
Proof. lia. Qed.
Lemma Rne_or_eq (a b : R) : a <> b \/ a = b.
Proof. destruct (Req_dec a b); tauto. Qed.

(* Roots and sizes over what they are divided by, so that their squares are polynomials *)

Ltac divisors e :=
  lazymatch e with
  | ?a + ?b => let p := divisors a in let q := divisors b in both_divisors p q
  | ?a - ?b => let p := divisors a in let q := divisors b in both_divisors p q
  | ?a * ?b => let p := divisors a in let q := divisors b in both_divisors p q
  | ?a / ?b => let p := divisors a in let q := divisors b in let r := both_divisors b q in both_divisors p r
  | ?a ^ ?n => let p := divisors a in lazymatch p with 1 => p | _ => constr:(p ^ n) end
  | / ?a => let p := divisors a in both_divisors a p
  | _ => constr:(1)
  end
with both_divisors p q :=
  lazymatch p with 1 => q | _ => lazymatch q with 1 => p | _ => constr:(p * q) end end.
Lemma scaled r d e P : d <> 0 -> r * r = e -> e * d * d = P ->
  exists s, r = s * / d /\ s * s = P /\ (r <> 0 -> s <> 0).
Proof.
  intros D S E. exists (r * d). split; [field; exact D | split].
  - rewrite <- E, <- S. ring.
  - intro. apply nonzero_times; assumption.
Qed.
Ltac cleared S T := lazymatch type of S with
  | ?r * ?r = ?e =>
    let d := divisors e in
    lazymatch d with
    | 1 => pose proof S as T
    | _ =>
      let D := fresh in let P := fresh in let E := fresh in
      let s := fresh in let Q := fresh in let N := fresh in
      assert (D : d <> 0) by defined;
      evar (P : R); assert (E : e * d * d = P);
      [ field_simplify; [subst P; reflexivity | defined ..]
      | subst P; destruct (scaled r d e _ D S E) as (s & Q & T & N);
        clear E; try rewrite Q; try (assert (s <> 0) by (apply N; defined)) ]
    end
  end.

(* Sums *)

Lemma terms_le f g lo n : (forall k, (k < n)%nat -> f (lo + Z.of_nat k)%Z <= g (lo + Z.of_nat k)%Z) ->
  terms f lo n <= terms g lo n.
Proof.
  induction n; simpl; intro H; [lra |].
  apply Rplus_le_compat; [apply IHn; intros; apply H; lia | apply H; lia].
Qed.
Lemma sumZ_le lo hi f g : (forall i, (lo <= i <= hi)%Z -> f i <= g i) -> sumZ lo hi f <= sumZ lo hi g.
Proof. intro H. apply terms_le. intros. apply H. lia. Qed.
Lemma terms_eq f g lo n : (forall k, (k < n)%nat -> f (lo + Z.of_nat k)%Z = g (lo + Z.of_nat k)%Z) ->
  terms f lo n = terms g lo n.
Proof.
  induction n; simpl; intro H; [lra |]. f_equal; [apply IHn; intros; apply H; lia | apply H; lia].
Qed.
Lemma sumZ_eq lo hi f g : (forall i, (lo <= i <= hi)%Z -> f i = g i) -> sumZ lo hi f = sumZ lo hi g.
Proof. intro H. apply terms_eq. intros. apply H. lia. Qed.
Lemma vsum_eq {V : Space} lo hi (f g : Z -> V) :
  (forall i, (lo <= i <= hi)%Z -> f i = g i) -> vsum lo hi f = vsum lo hi g.
Proof.
  unfold vsum. intro H.
  assert (K : forall k, (k < Z.to_nat (hi - lo + 1))%nat -> f (lo + Z.of_nat k)%Z = g (lo + Z.of_nat k)%Z)
    by (intros; apply H; lia).
  clear H. induction (Z.to_nat (hi - lo + 1)); simpl; [reflexivity |].
  rewrite IHn; [| intros; apply K; lia]. rewrite K; [reflexivity | lia].
Qed.

Lemma between_induction (P : Z -> Prop) lo hi : ((lo <= hi)%Z -> P lo) ->
  (forall i, (lo <= i <= hi - 1)%Z -> P i -> P (i + 1)%Z) -> forall i, (lo <= i <= hi)%Z -> P i.
Proof.
  intros B S i H.
  replace i with (lo + Z.of_nat (Z.to_nat (i - lo)))%Z by lia.
  assert (K : (lo + Z.of_nat (Z.to_nat (i - lo)) <= hi)%Z) by lia.
  induction (Z.to_nat (i - lo)) as [| n IH]; simpl in *.
  - rewrite Z.add_0_r in *. apply B. lia.
  - replace (lo + Z.pos (Pos.of_succ_nat n))%Z with (lo + Z.of_nat n + 1)%Z by lia.
    apply S; [lia | apply IH; lia].
Qed.

(* Whole numbers as real ones *)

Ltac pushed := repeat first [rewrite plus_IZR | rewrite mult_IZR | rewrite minus_IZR | rewrite opp_IZR].
Ltac pushed_in H := repeat first
  [rewrite plus_IZR in H | rewrite mult_IZR in H | rewrite minus_IZR in H | rewrite opp_IZR in H].
Ltac fits_range H := let K := fresh in pose proof (IZR_le _ _ H) as K; pushed_in K; first [exact K | lra].
Ltac ranged L := apply le_IZR; pushed; first [exact L | lra].
Lemma next_whole a b : IZR a < IZR b -> IZR (a + 1) <= IZR b.
Proof. intro H. apply lt_IZR in H. apply IZR_le. lia. Qed.
Ltac pushed_all H := cbv beta in H |- *; pushed_in H; pushed;
  try setoid_rewrite plus_IZR in H; try setoid_rewrite plus_IZR;
  try setoid_rewrite mult_IZR in H; try setoid_rewrite mult_IZR.
Ltac parts H := repeat match type of H with _ /\ _ => let K := fresh in destruct H as [K H] end.
Ltac said H := lazymatch goal with |- ?g => let t := type of H in constr_eq t g end; exact H.
Ltac same_or_pushed := first [stated
  | lazymatch goal with |- _ <> _ => solve [defined] end
  | assumption
  | match goal with K : _ |- _ => pushed_all K; exact K end].
Ltac fits_deep H := let K := fresh in pose proof H as K; cbv beta in K |- *;
  repeat match goal with
  | |- forall x, _ => let y := fresh in intro y; first [specialize (K y) | idtac]
  end; parts K; repeat match goal with |- _ /\ _ => split end; same_or_pushed.
Ltac fits H := cbv beta; first [said H
  | let K := fresh in pose proof H as K; cbv beta in K; first [said K | pushed_in K; pushed; said K]
  | fits_deep H
  | exact H
  | let K := fresh in pose proof H as K; cbv beta in K |- *; pushed_in K; pushed; exact K].
Ltac same_size := first [f_equal; identity | rewrite <- Rabs_Ropp; f_equal; identity
  | apply root_is; [apply Rabs_pos | rewrite size_square; identity]
  | symmetry; apply root_is; [apply Rabs_pos | rewrite size_square; identity]].

Lemma ratio_pos p q : (0 < p)%Z -> (0 < q)%Z -> 0 < IZR p / IZR q.
Proof. intros P Q. apply Rdiv_lt_0_compat; apply IZR_lt; assumption. Qed.
Lemma whole_ne p : (p =? 0)%Z = false -> IZR p <> 0.
Proof. intros E N. apply eq_IZR in N. subst. discriminate. Qed.
Lemma ratio_ne p q : (p =? 0)%Z = false -> (q =? 0)%Z = false -> IZR p / IZR q <> 0.
Proof.
  intros P Q. apply Rmult_integral_contrapositive_currified; [| apply Rinv_neq_0_compat];
    apply whole_ne; assumption.
Qed.
Lemma ratio_nonneg p q : (0 <= p)%Z -> (0 < q)%Z -> 0 <= IZR p / IZR q.
Proof.
  intros P Q. apply Rmult_le_pos; [apply IZR_le; assumption |].
  apply Rlt_le, Rinv_0_lt_compat, IZR_lt. assumption.
Qed.

(* Sums up to an end: from 1, and for an end below 0 minus the sum from the next one to 0 *)

Definition upto (f : Z -> R) (e : Z) : R :=
  if (0 <=? e)%Z then sumZ 1 e f else - sumZ (e + 1) 0 f.

Lemma terms_plus f lo m n : terms f lo (m + n) = terms f lo m + terms f (lo + Z.of_nat m) n.
Proof.
  induction n; simpl; [rewrite Nat.add_0_r; ring |].
  rewrite Nat.add_succ_r. simpl. rewrite IHn.
  replace (lo + Z.of_nat (m + n))%Z with (lo + Z.of_nat m + Z.of_nat n)%Z by lia. ring.
Qed.
Lemma sumZ_split lo mid hi f : (lo - 1 <= mid)%Z -> (mid <= hi)%Z ->
  sumZ lo hi f = sumZ lo mid f + sumZ (mid + 1) hi f.
Proof.
  intros A B. unfold sumZ.
  replace (Z.to_nat (hi - lo + 1)) with (Z.to_nat (mid - lo + 1) + Z.to_nat (hi - (mid + 1) + 1))%nat by lia.
  rewrite terms_plus. do 2 f_equal. lia.
Qed.
Lemma sumZ_none lo f : sumZ lo (lo - 1) f = 0.
Proof. unfold sumZ. replace (lo - 1 - lo + 1)%Z with 0%Z by lia. reflexivity. Qed.
Lemma sumZ_empty lo hi f : (hi = lo - 1)%Z -> sumZ lo hi f = 0.
Proof. intros ->. apply sumZ_none. Qed.
Lemma upto_zero f : upto f 0 = 0.
Proof. reflexivity. Qed.
Lemma sumZ_upto lo hi f : (lo - 1 <= hi)%Z -> sumZ lo hi f = upto f hi - upto f (lo - 1).
Proof.
  intro H. unfold upto. destruct (Z.leb_spec 0 hi), (Z.leb_spec 0 (lo - 1)).
  - rewrite (sumZ_split 1 (lo - 1) hi) by lia. replace (lo - 1 + 1)%Z with lo by lia. ring.
  - rewrite (sumZ_split lo 0 hi) by lia. replace (lo - 1 + 1)%Z with lo by lia. simpl. ring.
  - lia.
  - rewrite (sumZ_split (lo - 1 + 1) hi 0) by lia. replace (lo - 1 + 1)%Z with lo by lia. ring.
Qed.
Lemma upto_plus f e n : upto f (e + Z.of_nat n) = upto f e + terms f (e + 1) n.
Proof.
  pose proof (sumZ_upto (e + 1) (e + Z.of_nat n) f ltac:(lia)) as H.
  replace (e + 1 - 1)%Z with e in H by lia. unfold sumZ in H.
  replace (Z.to_nat (e + Z.of_nat n - (e + 1) + 1)) with n in H by lia. lra.
Qed.
Lemma upto_next f e : upto f (e + 1) = upto f e + f (e + 1)%Z.
Proof. pose proof (upto_plus f e 1) as H. simpl in H. rewrite Z.add_0_r, Rplus_0_l in H. exact H. Qed.
Lemma upto_ext f g e : (forall i, f i = g i) -> upto f e = upto g e.
Proof. intro H. unfold upto. destruct (0 <=? e)%Z; [| f_equal]; apply sumZ_eq; intros; apply H. Qed.
Lemma both_ways (P : Z -> Prop) : P 0%Z -> (forall e, P e <-> P (e + 1)%Z) -> forall e, P e.
Proof.
  intros B S e. apply (Z.bi_induction P); [intros ? ? ->; tauto | exact B |].
  intro n. rewrite <- Z.add_1_r. apply S.
Qed.
Lemma upto_shift f c e :
  upto f e = upto (fun i => f (i - c)%Z) (e + c) - upto (fun i => f (i - c)%Z) c.
Proof.
  revert e. apply both_ways.
  - rewrite upto_zero. simpl. ring.
  - intro e. replace (e + 1 + c)%Z with (e + c + 1)%Z by lia. rewrite !upto_next.
    replace (e + c + 1 - c)%Z with (e + 1)%Z by lia. split; intro; lra.
Qed.
Lemma upto_of (g G : R -> R) e : G 0 = 0 -> (forall x, G (x + 1) = G x + g (x + 1)) ->
  upto (fun i => g (IZR i)) e = G (IZR e).
Proof.
  intros B S. revert e. apply both_ways; [symmetry; exact B |].
  intro e. rewrite upto_next, plus_IZR, S. split; intro; lra.
Qed.

Fixpoint at_index (l : list (R * (Z -> R))) (i : Z) : R :=
  match l with nil => 0 | cons (c, f) l => c * f i + at_index l i end.
Fixpoint sums (l : list (R * (Z -> R))) (lo hi : Z) : R :=
  match l with nil => 0 | cons (c, f) l => c * sumZ lo hi f + sums l lo hi end.
Lemma terms_linear c f g lo n :
  terms (fun i => c * f i + g i) lo n = c * terms f lo n + terms g lo n.
Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.
Lemma sums_is l lo hi : sumZ lo hi (at_index l) = sums l lo hi.
Proof.
  unfold sumZ. induction l as [| [c f] l IH]; simpl.
  - induction (Z.to_nat (hi - lo + 1)); simpl; [reflexivity | rewrite IHn; ring].
  - rewrite <- IH. apply terms_linear.
Qed.
Lemma sumZ_combination lo hi f l : (forall i, (lo <= i <= hi)%Z -> f i = at_index l i) ->
  sumZ lo hi f = sums l lo hi.
Proof. intro H. rewrite (sumZ_eq _ _ _ _ H). apply sums_is. Qed.
Lemma ip_vsum {V : Space} lo hi (f : Z -> V) (u : V) :
  ip (vsum lo hi f) u = sumZ lo hi (fun i => ip (f i) u).
Proof.
  unfold vsum, sumZ. induction (Z.to_nat (hi - lo + 1)); simpl; [apply ip_zero |].
  rewrite ip_add, IHn. reflexivity.
Qed.
Fixpoint uptos (l : list (R * (Z -> R))) (e : Z) : R :=
  match l with nil => 0 | cons (c, f) l => c * upto f e + uptos l e end.
Lemma upto_combination f l e : (forall i, f i = at_index l i) -> upto f e = uptos l e.
Proof.
  intro H. rewrite (upto_ext _ _ _ H). clear H. unfold upto.
  destruct (0 <=? e)%Z eqn:E; rewrite sums_is; induction l as [| [c f'] l IH]; simpl; try (unfold upto in *; rewrite E; lra); lra.
Qed.
Lemma upto_step f a b : (b = a + 1)%Z -> upto f b = upto f a + f b.
Proof. intros ->. apply upto_next. Qed.
Lemma upto_back f a b : (b = a + 1)%Z -> upto f a = upto f b - f b.
Proof. intros ->. rewrite upto_next. ring. Qed.
Ltac same_end := f_equal; first [reflexivity | lia | ring].
Lemma root_apart r : 0 < sqrt r -> r <> 0.
Proof. intros P E. rewrite E, sqrt_0 in P. lra. Qed.
Ltac nonnegative := repeat first
  [apply Rmult_le_pos | apply pow_le | apply Rabs_pos | apply sqrt_pos | apply Rplus_le_le_0_compat | lra].
Lemma upto_parts (g G : R -> R) b e : G 0 = 0 -> (forall x, G (x + 1) = G x + g (x + 1)) ->
  upto (fun i => g (IZR i) * upto b i) e =
  G (IZR e) * upto b e - upto (fun i => G (IZR i - 1) * b i) e.
Proof.
  intros B S. revert e. apply both_ways.
  - rewrite !upto_zero. ring.
  - intro e. rewrite !upto_next, plus_IZR, S. replace (IZR e + 1 - 1) with (IZR e) by ring.
    generalize (upto (fun i => g (IZR i) * upto b i) e) (upto (fun i => G (IZR i - 1) * b i) e).
    split; intro; nra.
Qed.
Lemma upto_swap b l e : upto (fun i => upto (fun j => b i j) l) e = upto (fun j => upto (fun i => b i j) e) l.
Proof.
  revert e. apply both_ways.
  - rewrite upto_zero. symmetry. rewrite (upto_ext _ (fun j => 0 * b 0%Z j)) by (intro; rewrite upto_zero; ring).
    rewrite (upto_combination _ ((0, fun j => b 0%Z j) :: nil)%list) by (intro; simpl; ring). simpl. ring.
  - intro e. rewrite upto_next.
    rewrite (upto_ext (fun j => upto (fun i => b i j) (e + 1)) (fun j => upto (fun i => b i j) e + b (e + 1)%Z j))
      by (intro; apply upto_next).
    rewrite (upto_combination (fun j => upto (fun i => b i j) e + b (e + 1)%Z j)
      ((1, fun j => upto (fun i => b i j) e) :: (1, fun j => b (e + 1)%Z j) :: nil)%list) by (intro; simpl; ring).
    simpl. split; intro; lra.
Qed.
Lemma ip_vsum_r {V : Space} lo hi (f : Z -> V) (u : V) :
  ip u (vsum lo hi f) = sumZ lo hi (fun i => ip u (f i)).
Proof. rewrite ip_sym, ip_vsum. apply sumZ_eq. intros. apply ip_sym. Qed.

(* Constants between rational numbers *)

Lemma enclosed_times x y a b c d lo hi : a <= x <= b -> c <= y <= d ->
  lo <= a * c /\ lo <= a * d /\ lo <= b * c /\ lo <= b * d ->
  a * c <= hi /\ a * d <= hi /\ b * c <= hi /\ b * d <= hi -> lo <= x * y <= hi.
Proof. intros X Y L H.
  assert (K : forall p, (p * c <= hi /\ p * d <= hi -> p * y <= hi) /\ (lo <= p * c /\ lo <= p * d -> lo <= p * y)).
  { intro p. destruct (Rle_or_lt 0 p); split; intros [? ?]; nra. }
  destruct (K a) as [A A'], (K b) as [B B'].
  destruct (Rle_or_lt 0 y); split; nra.
Qed.
Lemma enclosed_inverse y a b lo hi : a <= y <= b -> 0 < a -> lo * b <= 1 /\ 1 <= hi * a /\ 0 <= lo -> lo <= / y <= hi.
Proof. intros Y P H. assert (y * / y = 1) by (apply Rinv_r; lra).
  assert (0 < / y) by (apply Rinv_0_lt_compat; lra). split; nra. Qed.
Lemma enclosed_root y a b lo hi : a <= y <= b -> 0 <= lo /\ 0 <= hi -> lo * lo <= a /\ b <= hi * hi -> lo <= sqrt y <= hi.
Proof.
  intros Y P H. split.
  - rewrite <- (sqrt_square lo) by lra. apply sqrt_le_1_alt. lra.
  - rewrite <- (sqrt_square hi) by lra. apply sqrt_le_1_alt. lra.
Qed.
Lemma exp_twice x y q r : q <= exp x -> 0 <= q -> y = 2 * x -> r <= q * q -> r <= exp y.
Proof. intros E P -> R. replace (2 * x) with (x + x) by ring. rewrite exp_plus. nra. Qed.
Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H | ->]; [left; apply exp_increasing; exact H | right; reflexivity]. Qed.
Lemma enclosed_exp x a b c p q lo hi : a <= x <= b -> p <= exp a -> q <= exp c -> c = - b ->
  lo <= p /\ 0 < q /\ 1 <= hi * q -> lo <= exp x <= hi.
Proof.
  intros X P Q -> H. pose proof (exp_le a x ltac:(lra)). pose proof (exp_le x b ltac:(lra)).
  assert (E : exp b * exp (- b) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  pose proof (exp_pos b). split; nra.
Qed.
Lemma ln_below x y : 0 < x -> x <= exp y -> ln x <= y.
Proof.
  intros P [H | H]; [left; rewrite <- (ln_exp y); apply ln_increasing; assumption | right].
  rewrite H. apply ln_exp.
Qed.
Lemma ln_above x y : exp y <= x -> y <= ln x.
Proof.
  intros [H | H]; [left; rewrite <- (ln_exp y) at 1; apply ln_increasing; [apply exp_pos | assumption] | right].
  rewrite <- H. symmetry. apply ln_exp.
Qed.
Lemma enclosed_log x a b lo hi p q : a <= x <= b -> 0 < a -> lo <= p /\ q <= hi -> exp p <= a -> b <= exp q ->
  lo <= ln x <= hi.
Proof.
  intros X P H A B. pose proof (ln_above x p ltac:(lra)). pose proof (ln_below x q ltac:(lra) ltac:(lra)). lra.
Qed.
