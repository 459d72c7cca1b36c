/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A small shared library, laid out byte by byte, whose functions and their file offsets are known
 * by construction.
 */
#ifndef TESTS_ELF_IMAGE_H
#define TESTS_ELF_IMAGE_H

#include <elf.h>
#include <stddef.h>
#include <string.h>

#define ELF_IMAGE_SIZE 0x1000
#define ELF_IMAGE_DYNSYM 0x100
#define ELF_IMAGE_DYNSTR 0x400
#define ELF_IMAGE_VERSYM 0x500
#define ELF_IMAGE_SYMTAB 0x540
#define ELF_IMAGE_STRTAB 0x700
#define ELF_IMAGE_TEXT 0x900 /* the executable segment: 0x900 .. 0xd00, at address 0x10900 */
#define ELF_IMAGE_TEXT_SIZE 0x400
#define ELF_IMAGE_ADDR 0x10000
#define ELF_IMAGE_SECTIONS 0xe00

struct elf_image_symbol {
	const char *name;
	unsigned char type;
	Elf64_Half section; /* 0: undefined */
	Elf64_Half version; /* of a dynamic symbol; 0x8000: hidden */
	Elf64_Addr value;
};

/* "moved" has two versions, the hidden one first; "kept" only a hidden one. */
static const struct elf_image_symbol elf_image_dynamic[] = {
	{ "frame_swap", STT_FUNC, 1, 1, ELF_IMAGE_ADDR + 0x910 },
	{ "undefined", STT_FUNC, 0, 1, 0 },
	{ "object", STT_OBJECT, 1, 1, ELF_IMAGE_ADDR + 0x920 },
	{ "chosen", STT_GNU_IFUNC, 1, 1, ELF_IMAGE_ADDR + 0x930 },
	{ "outside", STT_FUNC, 1, 1, 0x900000 },
	{ "in_data", STT_FUNC, 1, 1, 0x100 },
	{ "moved", STT_FUNC, 1, 0x8002, ELF_IMAGE_ADDR + 0x940 },
	{ "moved", STT_FUNC, 1, 3, ELF_IMAGE_ADDR + 0x950 },
	{ "kept", STT_FUNC, 1, 0x8002, ELF_IMAGE_ADDR + 0x960 },
	{ NULL, 0, 0, 0, 0 },
};

/* The second "frame_swap" must lose against the dynamic one. */
static const struct elf_image_symbol elf_image_static[] = {
	{ "frame_swap", STT_FUNC, 1, 0, ELF_IMAGE_ADDR + 0x9a0 },
	{ "helper", STT_FUNC, 1, 0, ELF_IMAGE_ADDR + 0x9b0 },
	{ "last_byte", STT_FUNC, 1, 0, ELF_IMAGE_ADDR + 0xcff },
	{ "past_end", STT_FUNC, 1, 0, ELF_IMAGE_ADDR + 0xd00 },
	{ "eglSwapInterval", STT_FUNC, 1, 0, ELF_IMAGE_ADDR + 0x9c0 },
	{ "eglSwapBuffersWithDamageKHR", STT_FUNC, 1, 0, ELF_IMAGE_ADDR + 0x9d0 },
	{ "eglSwapBuffers", STT_FUNC, 1, 0, ELF_IMAGE_ADDR + 0x9e0 },
	{ "_ZN7android7Surface13dequeueBufferEPNS_2spINS_13GraphicBufferEEEPi", STT_FUNC, 1, 0,
	  ELF_IMAGE_ADDR + 0x9f0 },
	{ NULL, 0, 0, 0, 0 },
};

static inline size_t elf_image_symbols(unsigned char *image, const struct elf_image_symbol *from,
				       size_t table, size_t names, size_t versions)
{
	size_t n = 1, name = 1;

	for (; from->name; from++, n++) {
		Elf64_Sym sym = { .st_name = (Elf64_Word)name,
				  .st_info = ELF64_ST_INFO(STB_GLOBAL, from->type),
				  .st_shndx = from->section,
				  .st_value = from->value,
				  .st_size = 1 };

		memcpy(image + table + n * sizeof(sym), &sym, sizeof(sym));
		if (versions)
			memcpy(image + versions + n * sizeof(Elf64_Half), &from->version,
			       sizeof(Elf64_Half));
		memcpy(image + names + name, from->name, strlen(from->name) + 1);
		name += strlen(from->name) + 1;
	}
	return n;
}

/* Where what does not belong to the image lies that elf_image_add_debugdata() makes. */
#define ELF_IMAGE_DEBUGDATA ELF_IMAGE_SIZE
#define ELF_IMAGE_DEBUGDATA_NAME 0x1c0 /* in .strtab, behind its symbols */

/* Fill `image` (ELF_IMAGE_SIZE bytes). */
static inline void elf_image_build(unsigned char *image)
{
	memset(image, 0, ELF_IMAGE_SIZE);
	size_t dynamic = elf_image_symbols(image, elf_image_dynamic, ELF_IMAGE_DYNSYM,
					   ELF_IMAGE_DYNSTR, ELF_IMAGE_VERSYM);
	size_t local =
		elf_image_symbols(image, elf_image_static, ELF_IMAGE_SYMTAB, ELF_IMAGE_STRTAB, 0);
	const Elf64_Phdr segments[] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = 0x900, .p_memsz = 0x900 },
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_X,
		  .p_offset = ELF_IMAGE_TEXT,
		  .p_vaddr = ELF_IMAGE_ADDR + ELF_IMAGE_TEXT,
		  .p_filesz = ELF_IMAGE_TEXT_SIZE,
		  .p_memsz = ELF_IMAGE_TEXT_SIZE },
	};
	const Elf64_Shdr sections[] = {
		{ .sh_type = SHT_NULL },
		{ .sh_type = SHT_PROGBITS,
		  .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		  .sh_addr = ELF_IMAGE_ADDR + ELF_IMAGE_TEXT,
		  .sh_offset = ELF_IMAGE_TEXT,
		  .sh_size = ELF_IMAGE_TEXT_SIZE },
		{ .sh_type = SHT_DYNSYM,
		  .sh_offset = ELF_IMAGE_DYNSYM,
		  .sh_size = dynamic * sizeof(Elf64_Sym),
		  .sh_link = 3,
		  .sh_entsize = sizeof(Elf64_Sym) },
		{ .sh_type = SHT_STRTAB,
		  .sh_offset = ELF_IMAGE_DYNSTR,
		  .sh_size = ELF_IMAGE_VERSYM - ELF_IMAGE_DYNSTR },
		{ .sh_type = SHT_GNU_versym,
		  .sh_offset = ELF_IMAGE_VERSYM,
		  .sh_size = dynamic * sizeof(Elf64_Half),
		  .sh_link = 2,
		  .sh_entsize = sizeof(Elf64_Half) },
		{ .sh_type = SHT_SYMTAB,
		  .sh_offset = ELF_IMAGE_SYMTAB,
		  .sh_size = local * sizeof(Elf64_Sym),
		  .sh_link = 6,
		  .sh_entsize = sizeof(Elf64_Sym) },
		{ .sh_type = SHT_STRTAB,
		  .sh_offset = ELF_IMAGE_STRTAB,
		  .sh_size = ELF_IMAGE_TEXT - ELF_IMAGE_STRTAB },
	};
	const Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
#if defined(__x86_64__)
		.e_machine = EM_X86_64,
#else
		.e_machine = EM_AARCH64,
#endif
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(header),
		.e_shoff = ELF_IMAGE_SECTIONS,
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = sizeof(segments) / sizeof(*segments),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = sizeof(sections) / sizeof(*sections),
	};

	_Static_assert(sizeof(header) + sizeof(segments) <= ELF_IMAGE_DYNSYM, "headers fit");
	/* and one more that a test adds */
	_Static_assert(ELF_IMAGE_SECTIONS + sizeof(sections) + sizeof(*sections) <= ELF_IMAGE_SIZE,
		       "sections fit");
	memcpy(image, &header, sizeof(header));
	memcpy(image + sizeof(header), segments, sizeof(segments));
	memcpy(image + ELF_IMAGE_SECTIONS, sections, sizeof(sections));
}

/*
 * Give an image a section .gnu_debugdata, whose contents are to be behind it. The string table of
 * its symbols becomes that of its sections too.
 */
static inline void elf_image_add_debugdata(unsigned char *image, size_t len)
{
	const Elf64_Shdr section = { .sh_name = ELF_IMAGE_DEBUGDATA_NAME,
				     .sh_type = SHT_PROGBITS,
				     .sh_offset = ELF_IMAGE_DEBUGDATA,
				     .sh_size = len };
	Elf64_Ehdr header;

	memcpy(&header, image, sizeof(header));
	memcpy(image + ELF_IMAGE_STRTAB + ELF_IMAGE_DEBUGDATA_NAME, ".gnu_debugdata", 15);
	memcpy(image + ELF_IMAGE_SECTIONS + header.e_shnum * sizeof(section), &section,
	       sizeof(section));
	header.e_shnum++;
	header.e_shstrndx = 6;
	memcpy(image, &header, sizeof(header));
}

#define ELF_IMAGE32_SYMTAB 0x100
#define ELF_IMAGE32_STRTAB 0x200
#define ELF_IMAGE32_SECTIONS 0x400

/* The same for 32-bit arm, with one Thumb function at 0x910 and one of full-width code at 0x920. */
static inline void elf_image_build32(unsigned char *image)
{
	static const char names[] = "\0frame_swap\0wide";
	const Elf32_Sym symbols[] = {
		{ .st_name = 0 },
		{ .st_name = 1,
		  .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
		  .st_shndx = 1,
		  .st_value = ELF_IMAGE_ADDR + 0x911 },
		{ .st_name = 12,
		  .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
		  .st_shndx = 1,
		  .st_value = ELF_IMAGE_ADDR + 0x920 },
	};
	const Elf32_Phdr segment = { .p_type = PT_LOAD,
				     .p_flags = PF_R | PF_X,
				     .p_offset = ELF_IMAGE_TEXT,
				     .p_vaddr = ELF_IMAGE_ADDR + ELF_IMAGE_TEXT,
				     .p_filesz = ELF_IMAGE_TEXT_SIZE,
				     .p_memsz = ELF_IMAGE_TEXT_SIZE };
	const Elf32_Shdr sections[] = {
		{ .sh_type = SHT_NULL },
		{ .sh_type = SHT_SYMTAB,
		  .sh_offset = ELF_IMAGE32_SYMTAB,
		  .sh_size = sizeof(symbols),
		  .sh_link = 2,
		  .sh_entsize = sizeof(Elf32_Sym) },
		{ .sh_type = SHT_STRTAB,
		  .sh_offset = ELF_IMAGE32_STRTAB,
		  .sh_size = sizeof(names) },
	};
	const Elf32_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_ARM,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(header),
		.e_shoff = ELF_IMAGE32_SECTIONS,
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf32_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf32_Shdr),
		.e_shnum = sizeof(sections) / sizeof(*sections),
	};

	memset(image, 0, ELF_IMAGE_SIZE);
	memcpy(image, &header, sizeof(header));
	memcpy(image + sizeof(header), &segment, sizeof(segment));
	memcpy(image + ELF_IMAGE32_SYMTAB, symbols, sizeof(symbols));
	memcpy(image + ELF_IMAGE32_STRTAB, names, sizeof(names));
	memcpy(image + ELF_IMAGE32_SECTIONS, sections, sizeof(sections));
}

#endif
