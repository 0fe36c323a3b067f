# SPDX-License-Identifier: Apache-2.0
#
# The emulated machine's firmware: no BIOS and no boot loader. 64 KiB at 0xF0000, seen by the CPU at the top of 4 GiB
# too, where it starts. Enters 32-bit mode, reads kernel and initramfs from the first ATA disk and jumps to the kernel's
# PVH entry. The host fills in the data from 0x7000 on.
  .code16
  .globl _start
_start:
  cli
  movb $2, %al                             # address line 20 on
  outb %al, $0x92
  lgdtl %cs:(gdtr - _start)
  movl %cr0, %eax
  andl $0x9fffffff, %eax                   # caches on
  orl $1, %eax                             # protected mode
  movl %eax, %cr0
  ljmpl $0x10, $protected

  .code32
protected:
  movw $0x18, %ax
  movw %ax, %ds
  movw %ax, %es
  movw %ax, %ss
  movw %ax, %fs
  movw %ax, %gs
  movl $0x90000, %esp
  cld

# The table holds {first sector, number of sectors (at most 65535), where to}; no sectors ends it.
  movl $table, %ebp
next:
  movl 4(%ebp), %ecx
  jecxz boot
  movl (%ebp), %ebx
  movl 8(%ebp), %edi
  movw $0x3f6, %dx                         # no interrupts
  movb $2, %al
  outb %al, %dx
  movw $0x1f6, %dx                         # LBA
  movb $0x40, %al
  outb %al, %dx
busy:
  movw $0x1f7, %dx
  inb %dx, %al
  testb $0x80, %al
  jnz busy
  movw $0x1f2, %dx                         # high bytes first: count, then sector
  movb %ch, %al
  outb %al, %dx
  incw %dx
  movl %ebx, %eax
  shrl $24, %eax
  outb %al, %dx
  incw %dx
  xorl %eax, %eax
  outb %al, %dx
  incw %dx
  outb %al, %dx
  movw $0x1f2, %dx                         # then the low bytes
  movb %cl, %al
  outb %al, %dx
  incw %dx
  movl %ebx, %eax
  outb %al, %dx
  incw %dx
  shrl $8, %eax
  outb %al, %dx
  incw %dx
  shrl $8, %eax
  outb %al, %dx
  movw $0x1f7, %dx                         # READ SECTORS EXT
  movb $0x24, %al
  outb %al, %dx
  movl %ecx, %esi
sector:
  movw $0x1f7, %dx
wait:
  inb %dx, %al
  testb $0x80, %al
  jnz wait
  testb $0x08, %al
  jz wait
  movw $0x1f0, %dx
  movl $256, %ecx
  rep insw
  decl %esi
  jnz sector
  addl $12, %ebp
  jmp next
boot:
  movl $0xf8000, %ebx                      # hvm_start_info
  jmp *entry

  .balign 16
gdtr:
  .word 0x1f
  .long gdt
  .balign 16
gdt:
  .quad 0, 0, 0x00CF9A000000FFFF, 0x00CF92000000FFFF

  .org 0x7000
entry:
  .long 0
table:
  .long 0

  .org 0xfff0                              # where the CPU starts
  .code16
  ljmpw $0xf000, $0
  .org 0xffff
  .byte 0
